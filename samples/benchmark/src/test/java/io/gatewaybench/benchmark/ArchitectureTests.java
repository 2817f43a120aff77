package io.gatewaybench.benchmark;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

@AnalyzeClasses(packagesOf = Bench.class, importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

	@ArchTest
	static final ArchRule packagesHaveNoCycles = slices().matching("io.gatewaybench.benchmark.(*)..")
		.should()
		.beFreeOfCycles();

	@ArchTest
	static final ArchRule onlyTheCommandLineKnowsPicocli = noClasses().that()
		.resideOutsideOfPackage("io.gatewaybench.benchmark")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("picocli..");

	@ArchTest
	static final ArchRule reportsReadResultsAndNothingElse = noClasses().that()
		.resideInAPackage("..report..")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("..run..", "..topology..");

	@ArchTest
	static final ArchRule theLoadDoesNotKnowTheRunner = noClasses().that()
		.resideInAPackage("..benchmark.load..")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("..run..", "..topology..", "..suite..", "..result..", "..report..");

}

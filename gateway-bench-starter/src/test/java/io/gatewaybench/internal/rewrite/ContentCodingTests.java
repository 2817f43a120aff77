package io.gatewaybench.internal.rewrite;

import java.util.Arrays;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.http.HttpHeaders;

import static org.assertj.core.api.Assertions.assertThat;

class ContentCodingTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-", textBlock = """
			gzip                        | gzip
			GZIP ; q=0.5                | gzip;q=0.5
			x-gzip                      | gzip
			gzip, deflate, br, zstd     | gzip, deflate, br, zstd
			gzip;q=0                    | -
			gzip;q=0.000, br            | br
			gzip;q=1.000                | gzip;q=1.000
			gzip;q=2                    | -
			gzip;q=x                    | -
			gzip;level=9                | -
			xgzip, snappy, brotli       | -
			*                           | gzip
			*;q=0.1                     | gzip
			*;q=0                       | -
			gzip;q=0, *                 | -
			snappy, *                   | gzip
			identity                    | -
			identity;q=0                | -
			''                          | -
			,,;                         | -
			""")
	void onlyKnownCodingsThatAreWantedCount(String sent, String accepted) {
		assertThat(ContentCoding.accepted(Arrays.asList(sent))).isEqualTo(accepted);
	}

	@Test
	void everyLineCounts() {
		assertThat(ContentCoding.accepted(Arrays.asList("identity", "gzip;q=0.5"))).isEqualTo("gzip;q=0.5");
		assertThat(ContentCoding.accepted(Arrays.asList())).isNull();
	}

	@ParameterizedTest
	@CsvSource({ "200,X-A,1,true", "404,X-A,1,true", "206,X-A,1,false", "200,Content-Range,bytes 0-1/2,false",
			"200,Cache-Control,'private, No-Transform',false", "200,Cache-Control,private,true",
			"200,ETag,'\"a\"',false", "200,ETag,'W/\"a\"',true", "200,Content-Digest,sha-256=:x:,false",
			"200,Repr-Digest,sha-256=:x:,false", "200,Digest,x,false", "200,content-md5,x,false" })
	void whatWouldBeAnotherBodyIsNotCoded(int status, String name, String value, boolean allowed) {
		HttpHeaders headers = new HttpHeaders();
		headers.set(name, value);
		assertThat(ContentCoding.isAllowed(status, headers)).isEqualTo(allowed);
	}

}

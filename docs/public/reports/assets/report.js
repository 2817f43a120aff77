'use strict';
// The flame graph, drawn and driven by report.js as any other chart
const flame = (() => {
	const LEVEL = 17;
	// A canvas that is higher stays empty in some browsers
	const DEEPEST = 250;
	const DEEPEST_IN_PRINT = 50;
	// Narrower than a pixel on most screens
	const LEAST = 1 / 2000;
	// Each with the number of its colour
	const KINDS = [['threads', 6], ['JDK', 4, /^(java|javax|jdk|sun|com\.sun)\./], ['Netty', 0, /^io\.netty\./], ['Reactor', 2, /^reactor\./],
		['Spring', 3, /^org\.springframework\./], ['Tomcat', 5, /^org\.apache\.(catalina|coyote|tomcat)\./], ['gateway-bench', 1, /^io\.gatewaybench\./], ['other', 7]];
	const kindOf = (node) => (node.depth <= 0) ? KINDS[0] : KINDS.find(([, , pattern]) => pattern?.test(node.frame)) ?? KINDS.at(-1);
	const percent = (part) => (100 * part).toLocaleString('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 }) + ' %';
	// Names of classes without their packages
	const short = (frame) => frame.split('.').slice(-2).join('.');

	// A frame, and those that it called. `start` is where it begins, in samples
	const tree = (rows) => {
		const root = { frame: 'all threads', depth: -1, start: 0, self: 0, samples: 0, children: [] };
		let callers = [root];
		for (const row of rows) {
			const caller = callers[row.depth];
			const last = caller.children.at(-1);
			const node = { frame: row.frame, depth: row.depth, self: row.self, samples: row.samples, caller, children: [],
				start: last ? last.start + last.samples : caller.start };
			caller.children.push(node);
			callers = [...callers.slice(0, row.depth + 1), node];
		}
		root.samples = root.children.reduce((sum, child) => sum + child.samples, 0);
		return root;
	};

	const kind = ({ colours, tooltip, element }) => {
		const trees = new Map();
		let root;
		let top;
		let selected;
		let cut;
		let term = '';
		let plot;
		let redraw;
		const found = element('output', '');
		const told = element('output', '', { className: 'told' });

		const tell = (node) => node.frame + ': ' + percent(node.samples / root.samples) + ' of the samples, ' + percent(node.self / root.samples) + ' of its own';
		const matches = (node) => term !== '' && node.depth >= 0 && node.frame.toLowerCase().includes(term);
		// A stack that matches twice counts once
		const matched = (node) => matches(node) ? node.samples : node.children.reduce((sum, child) => sum + matched(child), 0);

		const zoom = (node) => {
			top = node;
			selected = node;
			plot.parentElement.scrollTop = 0;
			redraw();
		};
		const select = (node) => {
			if (node) {
				selected = node;
				redraw();
				const level = (selected.depth - top.depth + 1) * LEVEL;
				const box = plot.parentElement;
				box.scrollTop = Math.min(level - LEVEL, Math.max(box.scrollTop, level + 2 * LEVEL - box.clientHeight));
			}
		};
		const beside = (step) => {
			const all = selected.caller?.children ?? [];
			return (selected === top) ? undefined : all[all.indexOf(selected) + step];
		};
		const keys = {
			ArrowUp: () => selected === top ? top.caller && zoom(top.caller) : select(selected.caller),
			ArrowDown: () => select(selected.children[0]),
			ArrowLeft: () => select(beside(-1)),
			ArrowRight: () => select(beside(1)),
			Enter: () => zoom(selected),
			Escape: () => zoom(root),
		};

		const set = (figure, draw) => {
			redraw = draw;
			plot = figure.querySelector('.plot');
			plot.removeAttribute('role');
			plot.removeAttribute('aria-label');
			plot.removeAttribute('aria-describedby');
			const box = element('div', '', { className: 'flame', tabIndex: 0 });
			box.setAttribute('role', 'application');
			box.setAttribute('aria-label', 'Flame graph. The arrow keys go from frame to frame, Enter shows a frame and what it called only, Escape shows all.');
			plot.before(box);
			box.append(plot);
			box.after(told);
			box.addEventListener('keydown', (event) => {
				if (keys[event.key] && !event.ctrlKey && !event.altKey && !event.metaKey) {
					event.preventDefault();
					keys[event.key]();
				}
			});
			const label = element('label', 'find ');
			const search = element('input', '', { type: 'search', placeholder: 'class or method' });
			label.append(search);
			search.addEventListener('input', () => { term = search.value.trim().toLowerCase(); redraw(); });
			const reset = element('button', 'Reset', { type: 'button' });
			reset.addEventListener('click', () => { search.value = ''; term = ''; zoom(root); });
			const swatches = KINDS.map(([name, index]) => {
				const entry = element('span', name);
				const swatch = element('span', '', { className: 'swatch' });
				swatch.style.background = 'var(--c' + index + ')';
				entry.prepend(swatch);
				return entry;
			});
			figure.querySelector('.files').before(label, reset, found);
			const legend = element('div', '', { className: 'controls' });
			legend.append(...swatches);
			box.before(legend);
		};

		const visible = () => {
			const nodes = top.caller ? [{ node: top.caller, level: 0, start: top.start, samples: top.samples }] : [];
			cut = false;
			const deepest = matchMedia('print').matches ? DEEPEST_IN_PRINT : DEEPEST;
			const add = (node, level) => {
				if (node.samples < LEAST * top.samples) {
					return;
				}
				if (level === deepest) {
					cut = true;
				}
				else {
					nodes.push({ node, level, start: node.start, samples: node.samples });
					node.children.forEach((child) => add(child, level + 1));
				}
			};
			add(top, nodes.length);
			return nodes;
		};

		const draw = (rows) => {
			const name = rows[0].variant;
			if (!trees.has(name)) {
				trees.set(name, tree(rows));
			}
			if (root !== trees.get(name)) {
				root = trees.get(name);
				top = root;
				selected = root;
			}
			const nodes = visible();
			const levels = 1 + nodes.reduce((most, { level }) => Math.max(most, level), 0);
			found.textContent = term === '' ? '' : percent(matched(root) / root.samples) + ' of the samples';
			told.textContent = tell(selected) + (cut ? '. Deeper frames are not shown.' : '');
			// ECharts copies its data deeply, which must not lead to callers and their children
			const data = nodes.map(({ node, level, start, samples }) => ({ name: node.frame, value: [start, level, samples, node.self, node.samples] }));
			const frame = (params, api) => {
				const { node } = nodes[params.dataIndex];
				const [x, y] = api.coord([api.value(0), api.value(1)]);
				const width = api.size([api.value(2), 0])[0];
				const hit = matches(node);
				const chosen = node === selected;
				return { type: 'rect', shape: { x, y, width: Math.max(width, 0.5), height: LEVEL - 1 },
					style: { fill: colours().all[kindOf(node)[1]], opacity: hit ? 0.85 : (term !== '') ? 0.12 : 0.45,
						stroke: (hit || chosen) ? colours().ink : colours().paper, lineWidth: chosen ? 2.5 : hit ? 1.5 : 0.5 },
					textConfig: { position: 'insideLeft', inside: true },
					// Without one, ECharts keeps the text of the frame that it drew here before
					textContent: { type: 'text', style: { text: (width > 40) ? short(node.frame) : '', fill: colours().ink, fontSize: 11,
						width: Math.max(0, width - 8), overflow: 'truncate', ellipsis: '…' } } };
			};
			return { height: levels * LEVEL + 4, click: ({ dataIndex }) => zoom(nodes[dataIndex].node),
				option: { grid: { left: 4, right: 4, top: 2, bottom: 2 },
					xAxis: { type: 'value', show: false, min: top.start, max: top.start + top.samples },
					yAxis: { type: 'value', show: false, inverse: true, min: 0, max: levels },
					tooltip: tooltip({ trigger: 'item', formatter: ({ dataIndex }) => tell(nodes[dataIndex].node).replace(': ', '\n') }),
					series: [{ type: 'custom', renderItem: frame, encode: { x: 0, y: 1 }, data }] } };
		};

		return { wide: true, select: ['variant'], set, draw };
	};

	return { kind };
})();
(() => {
	const { variants, charts } = JSON.parse(document.getElementById('data').textContent);
	const GROUPS = ['event loops', 'Tomcat', 'virtual threads', 'HTTP client', 'GC', 'JIT', 'other', 'ended'];
	const SYMBOLS = ['circle', 'triangle', 'rect', 'diamond', 'roundRect', 'arrow'];
	const font = getComputedStyle(document.body).fontFamily;
	let colours;
	const readColours = () => {
		const style = getComputedStyle(document.documentElement);
		const read = (name) => style.getPropertyValue('--' + name).trim();
		colours = { ink: read('ink'), soft: read('soft'), line: read('line'), paper: read('paper'), bad: read('red'),
			all: [0, 1, 2, 3, 4, 5, 6, 7].map((index) => read('c' + index)) };
	};
	const colour = (index) => colours.all[index % colours.all.length];
	// A flavour has one colour everywhere, and its further variants have lighter ones; grey is the control without a gateway
	const FLAVOURS = [/webflux|webclient/i, /\bVT\b|virtual/i, /webmvc|sync|future/i];
	const flavourOf = (variant) => FLAVOURS.findIndex((flavour) => flavour.test(variant));
	const lighter = (colour, share) => {
		const parts = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
		const paper = parts(colours.paper);
		return '#' + parts(colour).map((part, index) => Math.round(part + share * (paper[index] - part)).toString(16).padStart(2, '0')).join('');
	};
	const ofVariant = (variant) => {
		if (!variants.includes(variant)) {
			return colours.all[6];
		}
		const flavour = flavourOf(variant);
		const alike = variants.filter((other) => flavourOf(other) === flavour);
		return (flavour < 0) ? colours.all[3 + alike.indexOf(variant) % 3]
			: lighter(colours.all[[0, 2, 1][flavour]], 0.6 * alike.indexOf(variant) / alike.length);
	};
	const unique = (rows, name) => [...new Set(rows.map((row) => row[name]))];
	const digits = (value) => (typeof value !== 'number') ? 'n/a'
		: value.toLocaleString('en', { maximumSignificantDigits: (Math.abs(value) >= 1000) ? 6 : 3 });

	const axis = (name, more) => ({ name, nameLocation: 'middle', nameGap: 28, nameTextStyle: { color: colours.soft },
		axisLabel: { color: colours.soft, hideOverlap: true }, axisLine: { lineStyle: { color: colours.line } },
		splitLine: { lineStyle: { color: colours.line } }, ...more });
	const tooltip = (more) => ({ renderMode: 'richText', confine: true, z: 60, backgroundColor: colours.paper,
		borderColor: colours.line, textStyle: { color: colours.ink, fontSize: 12 }, valueFormatter: digits, ...more });
	// ECharts makes room for names in the font of the axis, and draws them in that of the chart
	const rowsAxis = (names, narrow) => ({ type: 'category', data: names, inverse: true, axisTick: { show: false },
		axisLine: { lineStyle: { color: colours.line } },
		axisLabel: { color: colours.ink, fontFamily: font, width: narrow ? 110 : 200, overflow: 'break', fontSize: narrow ? 11 : 12, lineHeight: 14 } });
	const rowsGrid = { left: 8, right: 24, top: 8, bottom: 36, containLabel: true };
	const rowsHeight = (count) => 70 + 34 * count;
	// One line with a gap between the intervals
	const whiskers = (rows, names) => ({ name: '95 % confidence interval', type: 'line', symbol: 'none', silent: true, z: 4,
		lineStyle: { color: colours.ink, width: 1.5 }, tooltip: { show: false },
		data: rows.filter((row) => row.low !== null && row.high !== null)
			.flatMap((row) => [[row.low, names.indexOf(row.row)], [row.high, names.indexOf(row.row)], [null, null]]) });
	const interval = (row) => (row.low !== null && row.high !== null) ? ' (' + digits(row.low) + '–' + digits(row.high) + ')' : '';

	// Plots below one another, with one axis of seconds
	const seconds = (rows, plots) => {
		const shown = plots.map((plot) => ({ ...plot, lines: plot.lines.filter(([name]) => rows.some((row) => typeof row[name] === 'number')) })).filter((plot) => plot.lines.length > 0);
		let bottom = -22;
		const grid = shown.map((plot) => {
			const box = { left: 72, right: 24, top: bottom + 34, height: plot.height };
			bottom = box.top + box.height;
			return box;
		});
		const last = shown.length - 1;
		const lines = shown.flatMap((plot, index) => plot.lines.map(([name, shade, style]) => ({ name, type: 'line', showSymbol: rows.length < 3, zlevel: 0, symbolSize: 4,
			xAxisIndex: index, yAxisIndex: index, itemStyle: { color: colours[shade] ?? colour(shade) }, lineStyle: { width: 1.8, ...style },
			data: rows.map((row) => [row.second, row[name]]) })));
		return { height: bottom + 90, legend: lines.map((each) => [each.name, each.itemStyle.color]),
			option: { grid,
				xAxis: shown.map((plot, index) => axis('', { type: 'value', gridIndex: index, min: 0, max: Math.max(...rows.map((row) => row.second)), minInterval: 1,
					axisLabel: { show: index === last, color: colours.soft, formatter: '{value} s' }, splitLine: { show: false } })),
				yAxis: shown.map((plot, index) => axis(plot.unit, { type: 'value', gridIndex: index, min: 0, nameGap: 56, splitNumber: (plot.height < 100) ? 2 : 4 })),
				axisPointer: { link: [{ xAxisIndex: 'all' }] },
				tooltip: tooltip({ trigger: 'axis', formatter: (items) => 'second ' + items[0].value[0] + '\n'
					+ lines.flatMap((each) => items.filter((item) => item.seriesName === each.name)).map((item) => item.seriesName + ': ' + digits(item.value[1])).join('\n') }),
				dataZoom: [{ xAxisIndex: shown.map((plot, index) => index), type: 'slider', height: 20, bottom: 8, borderColor: colours.line, textStyle: { color: colours.soft },
					handleStyle: { color: colours.paper, borderColor: colours.soft }, moveHandleStyle: { color: colours.line } }],
				series: lines } };
	};

	// Without zlevel, ECharts warns of the symbol that a line without symbols gets under the cursor.
	// Each returns what ECharts draws; `legend` names what can be switched off, with its colour
	const kinds = {
		ratios: { select: ['metric'], draw: (rows, narrow) => {
			const names = rows.map((row) => row.row);
			const top = Math.max(1.15, ...rows.map((row) => Math.min(row.high ?? 0, 1.6 * row.ratio)), ...rows.map((row) => 1.05 * row.ratio));
			const bottom = Math.min(0.85, ...rows.map((row) => Math.max(row.low ?? 9, 0.6 * row.ratio)), ...rows.map((row) => 0.95 * row.ratio));
			return { height: rowsHeight(names.length), option: { grid: rowsGrid, yAxis: rowsAxis(names, narrow),
				xAxis: axis('ratio to the baseline', { type: 'value', min: Math.floor(bottom * 20) / 20, max: Math.ceil(top * 20) / 20,
					axisLabel: { color: colours.soft, showMinLabel: false, showMaxLabel: false, formatter: (value) => value.toFixed(2), hideOverlap: true } }),
				tooltip: tooltip({ trigger: 'item', formatter: (item) => item.name + '\n' + digits(item.data.value[0]) + item.data.interval }),
				series: [whiskers(rows, names), { type: 'scatter', symbolSize: 12, z: 5,
					data: rows.map((row) => ({ name: row.row + ' / ' + row['compared with'], value: [row.ratio, names.indexOf(row.row)], interval: interval(row),
						itemStyle: { color: ofVariant(row.variant) } })),
					markLine: { silent: true, symbol: 'none', label: { show: false }, lineStyle: { color: colours.ink, type: 'solid', width: 1 }, data: [{ xAxis: 1 }] },
					markArea: { silent: true, itemStyle: { color: colours.soft, opacity: 0.15 }, data: [[{ xAxis: 1 / (1 + rows[0].margin) }, { xAxis: 1 + rows[0].margin }]] } }] } };
		} },

		figures: { select: ['metric'], draw: (rows, narrow) => {
			const names = unique(rows, 'row');
			const means = rows.filter((row) => row.start === 'mean');
			const starts = rows.filter((row) => row.start !== 'mean');
			return { height: rowsHeight(names.length), option: { grid: rowsGrid, yAxis: rowsAxis(names, narrow),
				xAxis: axis(rows[0].metric + ', ' + rows[0].unit, { type: 'value', min: 0 }),
				tooltip: tooltip({ trigger: 'item', formatter: (item) => item.name + '\n' + item.data.text }),
				series: [{ type: 'bar', barMaxWidth: 18,
					data: means.map((row) => ({ name: row.row, value: [row.value, names.indexOf(row.row)], text: digits(row.value) + ' ' + row.unit,
						itemStyle: { color: ofVariant(row.variant), opacity: 0.7 } })) },
				{ type: 'scatter', symbolSize: 7, z: 5,
					data: starts.map((row) => ({ name: row.row, value: [row.value, names.indexOf(row.row)],
						text: 'start ' + row.start + ': ' + digits(row.value) + ' ' + row.unit,
						itemStyle: { color: ofVariant(row.variant), borderColor: colours.paper, borderWidth: 1 } })) }] } };
		} },

		cpu: { select: [], draw: (rows, narrow) => {
			const names = unique(rows, 'row');
			const groups = unique(rows, 'threads').filter((group) => rows.some((row) => row.threads === group && row['µs per request'] > 0));
			const ofGroup = (group) => colour(GROUPS.indexOf(group));
			return { height: rowsHeight(names.length), legend: groups.map((group) => [group, ofGroup(group)]),
				option: { grid: rowsGrid, yAxis: rowsAxis(names, narrow), xAxis: axis('µs of CPU per successful response', { type: 'value' }),
					tooltip: tooltip({ trigger: 'axis', axisPointer: { type: 'shadow' } }),
					series: groups.map((group) => ({ name: group, type: 'bar', stack: 'all', barMaxWidth: 22, itemStyle: { color: ofGroup(group), borderColor: colours.paper, borderWidth: 0.5 },
						data: names.map((name) => rows.find((row) => row.row === name && row.threads === group)['µs per request']) })) } };
		} },

		percentiles: { select: ['load', 'view'], draw: (rows) => {
			const names = unique(rows, 'row');
			const last = Math.max(100, ...rows.map((row) => 1 / (1 - row['part of the requests'])));
			return { height: 340, legend: names.map((name) => [name, ofVariant(rows.find((row) => row.row === name).variant)]),
				option: { grid: { left: 64, right: 24, top: 16, bottom: 44 },
					xAxis: axis('part of the requests', { type: 'log', min: 1, max: last,
						axisLabel: { color: colours.soft, showMaxLabel: last === 100, formatter: (value) => (100 - 100 / value).toLocaleString('en', { maximumFractionDigits: 4 }) + ' %' } }),
					yAxis: axis('ms', { type: 'value', nameGap: 48 }),
					tooltip: tooltip({ trigger: 'axis', formatter: (items) => items[0] === undefined ? ''
						: (100 - 100 / items[0].value[0]).toFixed(2) + ' % of the requests\n' + items.map((item) => item.seriesName + ': ' + digits(item.value[1]) + ' ms').join('\n') }),
					series: names.map((name, index) => {
						const own = rows.filter((row) => row.row === name);
						return { name, type: 'line', showSymbol: false, zlevel: 0, step: false, lineStyle: { width: 2, type: ['solid', 'dashed', 'dotted'][index % 3] },
							itemStyle: { color: ofVariant(own[0].variant) }, symbol: SYMBOLS[index % SYMBOLS.length],
							data: own.map((row) => [1 / (1 - row['part of the requests']), row.ms]) };
					}) } };
		} },

		rates: { select: [], draw: (rows) => {
			const names = unique(rows, 'variant');
			return { height: 340, legend: names.map((name) => [name, ofVariant(name)]),
				option: { grid: { left: 64, right: 24, top: 16, bottom: 44 }, xAxis: axis('offered requests per second', { type: 'value' }),
					yAxis: axis('ms', { type: 'value', nameGap: 48, min: 0 }), tooltip: tooltip({ trigger: 'axis' }),
					series: names.flatMap((name, index) => unique(rows, 'figure').map((figure) => ({ name, type: 'line', symbol: SYMBOLS[index % SYMBOLS.length], symbolSize: 8,
						itemStyle: { color: ofVariant(name) }, lineStyle: { width: 2, type: figure.startsWith('P50') ? 'dotted' : 'solid' },
						data: rows.filter((row) => row.variant === name && row.figure === figure).map((row) => [row['requests per second'], row.ms])
							.sort((one, other) => one[0] - other[0]) }))) } };
		} },

		series: { wide: true, select: ['measurement'], draw: (rows) => seconds(rows, [
			{ unit: 'requests', height: 130, lines: [['offered', 6, { type: 'dashed' }], ['sent', 0, { type: 'dotted' }], ['ok', 2], ['errors', 1]] },
			{ unit: 'latency, ms', height: 130, lines: [['P50, ms', 0], ['P99, ms', 3], ['max, ms', 4, { type: 'dotted' }]] },
			{ unit: 'lag, ms', height: 60, lines: [['generator lag, ms', 5]] }]) },

	};

	const element = (name, text, more) => Object.assign(document.createElement(name), { textContent: text }, more);
	kinds.flame = flame.kind({ colours: () => colours, tooltip, element });

	const save = (name, address) => {
		const link = document.createElement('a');
		link.href = address;
		link.download = name;
		link.click();
	};
	const csv = (chart) => [chart.columns, ...chart.rows].map((row) => row.map((value) => (value === null) ? ''
		: /[",\r\n]/.test(value) ? '"' + value.replaceAll('"', '""') + '"' : value).join(',')).join('\n') + '\n';

	const byName = (chart) => chart.rows.map((row) => Object.fromEntries(row.map((value, index) => [chart.columns[index], value])));
	// A row has the index of a word where it has a text, and leaves out the values with which the row before begins
	const decode = (chart) => {
		let whole = [];
		return { ...chart, rows: chart.rows.map((row) => {
			whole = [...whole.slice(0, chart.columns.length - row.length), ...row];
			return whole.map((value, index) => (value !== null && chart.texts.includes(index)) ? chart.words[value] : value);
		}) };
	};
	const known = charts.filter((chart) => kinds[chart.id])
		.map(decode)
		.map((chart) => ({ ...chart, objects: byName(chart) }));
	const set = (chart) => {
		const kind = kinds[chart.id];
		const figure = document.getElementById('chart-' + chart.id);
		const plot = figure.querySelector('.plot');
		const controls = figure.querySelector('.controls');
		const objects = chart.objects;
		const chosen = {};
		const hidden = new Set();
		let drawn;
		figure.hidden = false;
		figure.classList.toggle('wide', kind.wide === true);

		const legend = element('span', '');
		legend.className = 'controls';
		for (const column of kind.select) {
			const values = unique(objects, column);
			chosen[column] = values[0];
			if (values.length > 1) {
				const label = element('label', column + ' ');
				const select = element('select', '', { name: column });
				values.forEach((value) => select.append(element('option', value)));
				select.value = chosen[column];
				select.addEventListener('change', () => {
					chosen[column] = select.value;
					draw();
				});
				label.append(select);
				controls.append(label);
			}
		}
		const data = element('button', 'Data (CSV)', { type: 'button' });
		data.addEventListener('click', () => save(chart.id + '.csv', URL.createObjectURL(new Blob([csv(chart)], { type: 'text/csv' }))));
		const picture = element('button', 'Picture (PNG)', { type: 'button' });
		picture.addEventListener('click', () => { draw(); save(chart.id + '.png', drawn.getDataURL({ pixelRatio: 2, backgroundColor: colours.paper })); });
		const files = element('span', '', { className: 'controls files' });
		files.append(data, picture);
		controls.append(files);
		controls.after(legend);
		kind.set?.(figure, () => draw());

		const draw = () => {
			const rows = objects.filter((row) => kind.select.every((column) => row[column] === chosen[column]));
			const shape = (rows.length > 0) ? kind.draw(rows, plot.clientWidth < 480)
				: { height: 48, option: { title: { text: 'not known of this measurement', left: 'center', top: 'middle', textStyle: { color: colours.soft, fontSize: 13, fontWeight: 'normal' } } } };
			plot.style.height = shape.height + 'px';
			drawn ??= echarts.init(plot, null, { renderer: 'canvas' });
			drawn.resize();
			const names = (shape.legend ?? []).map(([name]) => name);
			drawn.setOption({ animation: false, textStyle: { color: colours.ink, fontFamily: font },
				legend: { show: false, data: names, selected: Object.fromEntries(names.map((name) => [name, !hidden.has(name)])) }, ...shape.option }, true);
			drawn.off('click');
			if (shape.click) {
				drawn.on('click', shape.click);
			}
			legend.replaceChildren(...(shape.legend ?? []).map(([name, shade]) => {
				const button = element('button', name, { type: 'button' });
				const swatch = element('span', '');
				swatch.className = 'swatch';
				swatch.style.background = shade;
				button.prepend(swatch);
				button.setAttribute('aria-pressed', String(!hidden.has(name)));
				button.addEventListener('click', () => {
					hidden.has(name) ? hidden.delete(name) : hidden.add(name);
					button.setAttribute('aria-pressed', String(!hidden.has(name)));
					drawn.dispatchAction({ type: 'legendToggleSelect', name });
				});
				return button;
			}));
		};
		let width = 0;
		new ResizeObserver(() => {
			if (drawn && plot.clientWidth !== width) {
				width = plot.clientWidth;
				draw();
			}
		}).observe(plot);
		// A page of many charts opens at once because only those in sight are drawn
		new IntersectionObserver((entries, observer) => {
			if (entries.some((entry) => entry.isIntersecting)) {
				observer.disconnect();
				width = plot.clientWidth;
				drawn ?? draw();
			}
		}, { rootMargin: '400px' }).observe(plot);
		return draw;
	};

	readColours();
	const all = known.map(set);
	const again = () => { readColours(); all.forEach((draw) => draw()); };
	matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
	matchMedia('print').addEventListener('change', again);
	addEventListener('beforeprint', again);
})();

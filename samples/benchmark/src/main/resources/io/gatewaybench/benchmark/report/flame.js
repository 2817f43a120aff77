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

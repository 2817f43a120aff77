import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { links } from './links'
import { checkSize, nameColours, removeReportsForTests, shortId, withoutEmptySpans } from './size'

const docs = fileURLToPath(new URL('..', import.meta.url))
const root = resolve(docs, '..')
const base = process.env.SITE_BASE ?? '/'

function title(page: string): string {
  const heading = readFileSync(resolve(docs, page + '.md'), 'utf8').match(/^# (.+)$/m)
  if (!heading) {
    throw new Error(`${page}.md has no heading`)
  }
  return heading[1].replaceAll('`', '')
}

function entries(pages: string[]) {
  return pages.map((page) => ({ text: title(page), link: '/' + page }))
}

const GROUPS: Record<string, string[]> = {
  'Begin': ['which-flavour', 'getting-started', 'guides/run-the-benchmark', 'guides/questions'],
  'Use the starter': ['guides/give-features-to-routes', 'guides/balance-over-instances', 'guides/survive-a-failing-upstream',
    'guides/timeouts-and-errors', 'guides/change-upstreams-at-run-time', 'guides/gateway-field', 'guides/many-routes',
    'guides/watch-the-gateway', 'guides/tune-the-client', 'guides/tune-the-server', 'guides/start-faster',
    'guides/move-from-your-own-filters'],
  'Run the benchmark': ['guides/compare-your-own', 'guides/check-in-ci', 'guides/several-hosts', 'guides/send-with-jmeter',
    'guides/find-where-time-goes', 'guides/show-faults'],
  'How it works': ['explanation/way-of-a-request', 'explanation/way-of-a-body', 'explanation/ejection',
    'explanation/what-we-hook-into', 'explanation/cost', 'explanation/method'],
  'Reference': ['reference/configuration', 'reference/settings', 'reference/what-passes', 'reference/limits', 'reference/meters', 'reference/csv-file',
    'reference/actuator-endpoint', 'reference/gateway-field', 'reference/clients-for-upstreams', 'reference/known-bugs',
    'reference/benchmark-command', 'reference/suite-keys', 'reference/studies', 'reference/reports', 'reference/glossary'],
  'Lab notes': ['notes/tried-and-lost', 'notes/where-the-time-goes', 'notes/measured', 'notes/for-other-projects']
}

function sidebar(...groups: string[]) {
  return groups.map((text) => ({ text, items: entries(GROUPS[text]) }))
}

function checkThatEveryPageIsListed() {
  const listed = new Set(Object.values(GROUPS).flat())
  for (const folder of ['guides', 'explanation', 'reference', 'notes']) {
    for (const file of readdirSync(resolve(docs, folder))) {
      const page = `${folder}/${file.replace(/\.md$/, '')}`
      if (!listed.has(page)) {
        throw new Error(`${page}.md is in no group of config.mts, so nobody would find it`)
      }
    }
  }
}

checkThatEveryPageIsListed()

export default defineConfig({
  title: 'gateway-bench',
  description: 'The same filters for both flavours of Spring Cloud Gateway, and a benchmark that tells which one to choose',
  base,
  srcDir: '..',
  srcExclude: ['**/target/**', '**/node_modules/**', 'docs/public/**', 'README*.md', 'CONTRIBUTING.md', '.github/**', 'bench-results/**'],
  rewrites: { 'docs/:path(.*)': ':path' },
  outDir: resolve(docs, 'target/site'),
  cacheDir: resolve(docs, 'target/cache'),
  // Else each page has the lists of all pages in it, which is more than its text
  metaChunk: true,
  vite: {
    publicDir: resolve(docs, 'public'),
    resolve: {
      alias: [
        // The sidebar is on each page. That of VitePress has 320 bytes for each of its links, ours 80
        { find: './VPSidebarGroup.vue', replacement: resolve(docs, '.vitepress/theme/Sidebar.vue') },
        // A menu for narrow windows. It repeats what is in the bar, so the browser makes it, and pages are 1.2 KB smaller
        { find: './VPNavBarExtra.vue', replacement: resolve(docs, '.vitepress/theme/NavBarExtra.vue') }
      ]
    },
    plugins: [{
      name: 'vue-for-pages-outside-docs',
      enforce: 'pre',
      resolveId(id, _importer, options) {
        return /^vue(\/|$)/.test(id) ? this.resolve(id, resolve(docs, 'index.md'), { ...options, skipSelf: true }) : undefined
      }
    }]
  },
  vue: { features: { componentIdGenerator: shortId } },
  markdown: { config: links(root, base, process.env.SITE_REPOSITORY), codeTransformers: [{ tokens: nameColours, line: withoutEmptySpans }] },
  buildEnd: ({ outDir }) => {
    removeReportsForTests(outDir)
    checkSize(outDir)
  },
  locales: {
    root: { label: 'English', lang: 'en' },
    zh: {
      label: '中文',
      lang: 'zh-CN',
      description: '为 Spring Cloud Gateway 的两种实现提供相同的过滤器，以及告诉你该选哪一种的基准测试',
      themeConfig: {
        nav: [{ text: '选哪一种？', link: '/zh/which-flavour' }, { text: '开始使用', link: '/zh/getting-started' }, { text: '基准测试', link: '/zh/run-the-benchmark' }],
        sidebar: {
          '/zh/': entries(['zh/which-flavour', 'zh/getting-started', 'zh/run-the-benchmark', 'zh/balance-over-instances',
            'zh/survive-a-failing-upstream', 'zh/configuration'])
        },
        outline: { label: '本页内容' },
        docFooter: { prev: '上一页', next: '下一页' },
        darkModeSwitchLabel: '深浅模式',
        sidebarMenuLabel: '目录',
        returnToTopLabel: '回到顶部',
        langMenuLabel: '语言'
      }
    }
  },
  themeConfig: {
    // Few pages are in Chinese, and in another folder: the switch leads to the start page
    i18nRouting: false,
    nav: [
      { text: 'Which flavour?', link: '/which-flavour' },
      { text: 'Starter', link: '/getting-started' },
      { text: 'Benchmark', link: '/guides/run-the-benchmark' },
      { text: 'How it works', link: '/explanation/way-of-a-request' },
      { text: 'Reference', link: '/reference/configuration' },
      { text: 'Reports', link: '/reference/reports' },
      { text: 'Lab notes', link: '/notes/tried-and-lost' }
    ],
    sidebar: {
      '/': sidebar('Begin', 'Use the starter', 'Run the benchmark'),
      '/explanation/': sidebar('How it works'),
      '/reference/': sidebar('Reference'),
      '/notes/': sidebar('Lab notes')
    },
    search: {
      provider: 'local',
      options: {
        // What has changed and what was tried and lost is not what a reader looks for. Each setting is in configuration.md, too
        _render: (text, env, md) => /\bnotes\/|\b(CHANGELOG|settings)\.md$/.test(env.relativePath) ? '' : md.render(text, env),
        locales: {
          zh: {
            translations: {
              button: { buttonText: '搜索' },
              modal: { noResultsText: '没有结果', resetButtonTitle: '清除', footer: { selectText: '选择', navigateText: '移动', closeText: '关闭' } }
            }
          }
        },
        miniSearch: {
          options: {
            // Else an eighth of the index is of words that each page has
            processTerm: (term: string) => /^(an?|and|are|as|at|be|by|for|from|has|in|is|its?|of|on|one|or|that|the|to|what|with)$/.test(term) ? null : term,
            // Chinese has no blanks between words: each pair of characters is a term
            tokenize: (text: string) => text.toLowerCase().split(/[\s\p{P}]+/u).flatMap((word) => {
              const chinese = word.match(/\p{Script=Han}+/gu) ?? []
              const pairs = chinese.flatMap((run) => run.length === 1 ? [run]
                : Array.from({ length: run.length - 1 }, (_, i) => run.slice(i, i + 2)))
              return [...word.split(/\p{Script=Han}+/u), ...pairs].filter((term) => term !== '')
            })
          }
        }
      }
    }
  }
})

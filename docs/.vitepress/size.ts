import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Element } from 'hast'
import type { ThemedToken } from 'shiki'

/*
 * What keeps the site small. Some of it is in config.mts and in theme/: two parts of VitePress that are on each page.
 */

const LARGEST_SITE = 4_000_000
const LARGEST_PAGE = 500_000

const colours = new Map([...readFileSync(fileURLToPath(new URL('theme/code.css', import.meta.url)), 'utf8')
  .matchAll(/\.(\S+) \{ --shiki-light: (\S+); --shiki-dark: (\S+) \}/g)]
  .map(([, name, light, dark]) => [light + dark, name]))

/**
 * Else each word of code has its two colours with it, which is more than half of its bytes.
 * A colour that code.css does not have fails the build.
 */
export function nameColours(lines: ThemedToken[][]) {
  for (const token of lines.flat()) {
    const { '--shiki-light': light, '--shiki-dark': dark } = (token.htmlStyle ?? {}) as Record<string, string>
    if (light === undefined) {
      // Plain text
      continue
    }
    const name = colours.get(light + dark)
    if (name === undefined) {
      throw new Error(`.vitepress/theme/code.css has no name for the colour ${light}, and ${dark} in the dark`)
    }
    token.htmlStyle = {}
    token.htmlAttrs = name === 'vp-code' ? {} : { class: name }
  }
}

/**
 * Text without a colour of its own needs no element.
 */
export function withoutEmptySpans(line: Element) {
  line.children = line.children.map((span) => span.type === 'element' && Object.keys(span.properties).length === 0 ? span.children[0] : span)
}

const ids = new Map<string, string>()

/**
 * Most elements of a page have the id of their component, for its style. Vue's own ids are twice as long.
 */
export function shortId(path: string, _source: string, _production: boolean | undefined, hash: (text: string) => string) {
  const id = hash(path).slice(0, path.endsWith('.vue') ? 4 : 8)
  const other = ids.get(id) ?? path
  if (other !== path) {
    throw new Error(`${path} and ${other} have the same id in size.ts: take one character more`)
  }
  ids.set(id, path)
  return id
}

/**
 * Beside each report is its Markdown, with which a test compares the figures in the documents. No page leads to it.
 */
export function removeReportsForTests(site: string) {
  for (const file of files(resolve(site, 'reports')).filter((each) => extname(each) === '.md')) {
    rmSync(file)
  }
}

export function checkSize(site: string) {
  const sizes = files(site).filter((file) => extname(file) !== '.woff2').map((file) => ({ file, size: statSync(file).size }))
  const page = sizes.find(({ file, size }) => extname(file) === '.html' && size > LARGEST_PAGE)
  if (page) {
    throw new Error(`${page.file} has ${page.size} bytes: a page may have ${LARGEST_PAGE}`)
  }
  const all = sizes.reduce((sum, { size }) => sum + size, 0)
  if (all > LARGEST_SITE) {
    const largest = sizes.sort((one, other) => other.size - one.size).slice(0, 20).map(({ file, size }) => `${size} ${file}`)
    throw new Error(`The site has ${all} bytes without fonts, and may have ${LARGEST_SITE}. The largest files:\n${largest.join('\n')}`)
  }
}

function files(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => resolve(directory, name))
    .filter((file) => statSync(file).isFile())
}

import { existsSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import type MarkdownIt from 'markdown-it'

/**
 * Turns the links of the Markdown files, which work in the repository, into those of the
 * site. One that leads nowhere fails the build.
 */
export function links(root: string, base: string, repository?: string) {
  const docs = resolve(root, 'docs')

  function site(href: string, file: string): { href: string, page: boolean } | undefined {
    if (/^([a-z]+:|#)/.test(href)) {
      return undefined
    }
    const [path, anchor] = href.split('#')
    const target = resolve(dirname(file), path)
    if (!existsSync(target)) {
      throw new Error(`${relative(root, file)}: ${href} leads nowhere`)
    }
    const hash = anchor === undefined ? '' : '#' + anchor
    const inDocs = relative(docs, target)
    if (inDocs.startsWith('public/')) {
      return { href: base + inDocs.slice('public/'.length) + hash, page: false }
    }
    const inRoot = relative(root, target)
    if (path.endsWith('.md') && !inRoot.startsWith('README')) {
      return { href: '/' + (inDocs.startsWith('..') ? inRoot : inDocs) + hash, page: true }
    }
    return { href: repository ? `${repository}/blob/main/${inRoot}` : '#', page: false }
  }

  return (markdown: MarkdownIt) => {
    markdown.core.ruler.push('links', (state) => {
      const file = state.env.realPath ?? state.env.path
      for (const token of state.tokens.flatMap((block) => block.children ?? [])) {
        const attribute = token.type === 'link_open' ? 'href' : token.type === 'image' ? 'src' : undefined
        const address = attribute && token.attrGet(attribute)
        const found = address && site(address, file)
        if (found) {
          // Vite puts the base before a picture itself, and does not find one that has it already
          token.attrSet(attribute, attribute === 'src' ? found.href.replace(base, '/') : found.href)
          if (token.type === 'link_open' && !found.page) {
            // Neither a page of the site nor checked as one
            token.attrSet('target', '_self')
          }
        }
      }
    })
  }
}

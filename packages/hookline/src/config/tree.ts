/** A parsed value that remembers where its parts stand: JSON files, YAML front matter and objects from code all become one. */

/** A value with its offset in the text it came from; `at` is -1 for values from code. */
export type Tree = ObjectTree | ListTree | LeafTree
export interface ObjectTree {
  readonly kind: 'object'
  readonly at: number
  /** In written order; every key once. */
  readonly entries: readonly Entry[]
}
export interface ListTree {
  readonly kind: 'list'
  readonly at: number
  readonly items: readonly Tree[]
}
export type LeafTree =
  | { readonly kind: 'text'; readonly at: number; readonly value: string }
  | { readonly kind: 'number'; readonly at: number; readonly value: number }
  | { readonly kind: 'flag'; readonly at: number; readonly value: boolean }
  | { readonly kind: 'null'; readonly at: number }
  /** A value that no file can hold, such as a function. */
  | { readonly kind: 'other'; readonly at: number; readonly value: unknown }
/** One member of an object, with the offset of its key. */
export interface Entry {
  readonly key: string
  readonly keyAt: number
  readonly value: Tree
}

/** Deepest nesting that is read, in files and in objects from code. */
export const maxDepth = 64

const words: Readonly<Record<Tree['kind'], string>> = {
  object: 'object',
  list: 'list',
  text: 'text',
  number: 'number',
  flag: 'true or false',
  null: 'null',
  other: 'something that is not JSON',
}

/** The kind of a value, as messages say it. */
export function kindWord(tree: Tree): string {
  return words[tree.kind]
}

/** The member of that name, if the tree is an object and has one. */
export function entryOf(tree: Tree | undefined, key: string): Entry | undefined {
  return tree?.kind === 'object' ? tree.entries.find((entry) => entry.key === key) : undefined
}

/** The value of the member of that name. */
export function memberOf(tree: Tree | undefined, key: string): Tree | undefined {
  return entryOf(tree, key)?.value
}

/** The value of a text; `undefined` for every other kind. */
export function textOf(tree: Tree | undefined): string | undefined {
  return tree?.kind === 'text' ? tree.value : undefined
}

/** The texts of a list; `undefined` when it is no list, or holds anything else. */
export function textsOf(tree: Tree | undefined): string[] | undefined {
  if (tree?.kind !== 'list') return undefined
  const texts = tree.items.map(textOf)
  return texts.includes(undefined) ? undefined : (texts as string[])
}

/** The plain value: objects have no prototype, so that a key such as `__proto__` is data like any other. */
export function plainOf(tree: Tree): unknown {
  switch (tree.kind) {
    case 'object': {
      const plain: Record<string, unknown> = Object.create(null)
      for (const { key, value } of tree.entries) plain[key] = plainOf(value)
      return plain
    }
    case 'list':
      return tree.items.map(plainOf)
    case 'null':
      return null
    default:
      return tree.value
  }
}

/** A tree of a value from code, without places. Getters are read once; cycles and what lies deeper than `maxDepth` count as `other`. */
export function treeOf(value: unknown, above: readonly unknown[] = []): Tree {
  const at = -1
  if (typeof value === 'string') return { kind: 'text', at, value }
  if (typeof value === 'number') return { kind: 'number', at, value }
  if (typeof value === 'boolean') return { kind: 'flag', at, value }
  if (value === null) return { kind: 'null', at }
  if (typeof value !== 'object' || above.length > maxDepth || above.includes(value)) return { kind: 'other', at, value }
  const inside = [...above, value]
  if (Array.isArray(value)) return { kind: 'list', at, items: value.map((item) => treeOf(item, inside)) }
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  return { kind: 'object', at, entries: entries.map(([key, member]) => ({ key, keyAt: at, value: treeOf(member, inside) })) }
}

/** The lists and the permission that every verdict of a row has, as one small number: what verdict classes are chosen by. */
import type { NamedRow } from '../protocol/events.ts'
import { permits } from './aggregate.ts'

/** The sum of what is always there. */
export type Shape = number

/** What a verdict may always have. A permission brings blocks. */
export const always = { permission: 1, blocks: 2, context: 4, classifierContext: 8 } as const

// The shapes of the table's rows. Each a constant: sums would be added up at every event.
export const plain: Shape = 0
export const blocks: Shape = always.blocks
export const context: Shape = always.context
export const blocksContext: Shape = always.blocks + always.context
export const permissionBlocks: Shape = always.permission + always.blocks
export const permissionBlocksContext: Shape = permissionBlocks + always.context

/** The name of something a verdict may always have. */
export type AlwaysKey = keyof typeof always

/** What verdicts of a row always have. */
export function shapeOf(row: NamedRow): Shape {
  const { powers } = row
  const decides = permits(row)
  return (
    (decides ? always.permission : 0) +
    (decides || powers.includes('block') ? always.blocks : 0) +
    (powers.includes('context') ? always.context : 0) +
    (powers.includes('classifierContext') ? always.classifierContext : 0)
  )
}

/** The names behind a shape. */
export function keysOf(shape: Shape): AlwaysKey[] {
  return (Object.keys(always) as AlwaysKey[]).filter((key) => (shape & always[key]) !== 0)
}

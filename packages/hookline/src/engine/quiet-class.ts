/** The classes of quiet verdicts by shape: the empty lists that a row's verdicts always have sit on their prototype. */
import type { NamedRow } from '../protocol/events.ts'
import { type CallOpener, QuietVerdict } from './quiet.ts'
import { always, keysOf, type Shape } from './verdict-shape.ts'

const none: readonly never[] = Object.freeze([])
const noOpinion = Object.freeze({ behavior: 'passthrough' as const, by: none })

// One `new` per class, and in each class a constructor and a mark of its own: V8 makes the objects of a class that it does not know
// beforehand many times slower, and a private field of the base class slower still. The mark tells our verdicts from what looks like one.

class Plain extends QuietVerdict {
  #ours: undefined
  constructor(row: NamedRow, opener: CallOpener, input: unknown) {
    super(row, opener, input)
  }
  static holds(value: object): boolean {
    return #ours in value
  }
}

class Context extends QuietVerdict {
  #ours: undefined
  constructor(row: NamedRow, opener: CallOpener, input: unknown) {
    super(row, opener, input)
  }
  static holds(value: object): boolean {
    return #ours in value
  }
  get context() {
    return none
  }
}

class Blocks extends QuietVerdict {
  #ours: undefined
  constructor(row: NamedRow, opener: CallOpener, input: unknown) {
    super(row, opener, input)
  }
  static holds(value: object): boolean {
    return #ours in value
  }
  get blocks() {
    return none
  }
}

class BlocksContext extends QuietVerdict {
  #ours: undefined
  constructor(row: NamedRow, opener: CallOpener, input: unknown) {
    super(row, opener, input)
  }
  static holds(value: object): boolean {
    return #ours in value
  }
  get blocks() {
    return none
  }
  get context() {
    return none
  }
}

class PermissionBlocks extends QuietVerdict {
  #ours: undefined
  constructor(row: NamedRow, opener: CallOpener, input: unknown) {
    super(row, opener, input)
  }
  static holds(value: object): boolean {
    return #ours in value
  }
  get permission() {
    return noOpinion
  }
  get blocks() {
    return none
  }
}

class PermissionBlocksContext extends QuietVerdict {
  #ours: undefined
  constructor(row: NamedRow, opener: CallOpener, input: unknown) {
    super(row, opener, input)
  }
  static holds(value: object): boolean {
    return #ours in value
  }
  get permission() {
    return noOpinion
  }
  get blocks() {
    return none
  }
  get context() {
    return none
  }
}

/** Where a quiet verdict comes from. */
export interface QuietPlan {
  readonly row: NamedRow
  readonly shape: Shape
}

/** Makes a quiet verdict of the class of its row. */
export function quietVerdict({ row, shape }: QuietPlan, opener: CallOpener, input: unknown): QuietVerdict {
  switch (shape) {
    case 0:
      return new Plain(row, opener, input)
    case always.context:
      return new Context(row, opener, input)
    case always.blocks:
      return new Blocks(row, opener, input)
    case always.blocks + always.context:
      return new BlocksContext(row, opener, input)
    case always.permission + always.blocks:
      return new PermissionBlocks(row, opener, input)
    case always.permission + always.blocks + always.context:
      return new PermissionBlocksContext(row, opener, input)
    default:
      return new (rareClass(shape))(row, opener, input)
  }
}

/** Whether this is a quiet verdict of ours, and not something that only looks like one. */
export function isQuietVerdict(value: unknown): value is QuietVerdict {
  return typeof value === 'object' && value !== null && classes.some((one) => one.holds(value))
}

const classes: { holds(value: object): boolean }[] = [Plain, Context, Blocks, BlocksContext, PermissionBlocks, PermissionBlocksContext]
const rare = new Map<Shape, typeof QuietVerdict>()

/** The class of a shape that few rows have. */
function rareClass(shape: Shape): typeof QuietVerdict {
  const known = rare.get(shape)
  if (known !== undefined) return known
  const made = class extends QuietVerdict {
    #ours: undefined
    static holds(value: object): boolean {
      return #ours in value
    }
  }
  for (const key of keysOf(shape)) Object.defineProperty(made.prototype, key, { value: key === 'permission' ? noOpinion : none })
  classes.push(made)
  rare.set(shape, made)
  return made
}

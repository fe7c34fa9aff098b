/** The verdict classes by shape: the lists and the permission that a row's verdicts always have sit on their prototype. */
import { FoldedVerdict, type VerdictParts } from './verdict.ts'
import {
  type AlwaysKey,
  blocks,
  blocksContext,
  context,
  keysOf,
  permissionBlocks,
  permissionBlocksContext,
  plain,
  type Shape,
  shapeOf,
} from './verdict-shape.ts'

// One `new` per class, and in each class a constructor and a mark of its own: V8 makes the objects of a class that it does not know
// beforehand many times slower, and a private field of the base class slower still. The mark tells our verdicts from what looks like one.

class Plain extends FoldedVerdict {
  #ours: undefined
  constructor(made: VerdictParts) {
    super(made)
  }
  static holds(value: object): boolean {
    return #ours in value
  }
}

class Context extends FoldedVerdict {
  #ours: undefined
  constructor(made: VerdictParts) {
    super(made)
  }
  static holds(value: object): boolean {
    return #ours in value
  }
  get context() {
    return this.folded.context
  }
}

class Blocks extends FoldedVerdict {
  #ours: undefined
  constructor(made: VerdictParts) {
    super(made)
  }
  static holds(value: object): boolean {
    return #ours in value
  }
  get blocks() {
    return this.folded.blocks
  }
}

class BlocksContext extends FoldedVerdict {
  #ours: undefined
  constructor(made: VerdictParts) {
    super(made)
  }
  static holds(value: object): boolean {
    return #ours in value
  }
  get blocks() {
    return this.folded.blocks
  }
  get context() {
    return this.folded.context
  }
}

class PermissionBlocks extends FoldedVerdict {
  #ours: undefined
  constructor(made: VerdictParts) {
    super(made)
  }
  static holds(value: object): boolean {
    return #ours in value
  }
  get permission() {
    return this.folded.permission
  }
  get blocks() {
    return this.folded.blocks
  }
}

class PermissionBlocksContext extends FoldedVerdict {
  #ours: undefined
  constructor(made: VerdictParts) {
    super(made)
  }
  static holds(value: object): boolean {
    return #ours in value
  }
  get permission() {
    return this.folded.permission
  }
  get blocks() {
    return this.folded.blocks
  }
  get context() {
    return this.folded.context
  }
}

/** Makes a verdict of the class of its row. */
export function fullVerdict(made: VerdictParts, shape: Shape = shapeOf(made.call.row)): FoldedVerdict {
  switch (shape) {
    case permissionBlocksContext:
      return new PermissionBlocksContext(made)
    case permissionBlocks:
      return new PermissionBlocks(made)
    case blocksContext:
      return new BlocksContext(made)
    case blocks:
      return new Blocks(made)
    case context:
      return new Context(made)
    case plain:
      return new Plain(made)
    default:
      return new (rareClass(shape))(made)
  }
}

/** Whether this is a verdict of ours, and not something that only looks like one. */
export function isFullVerdict(value: unknown): value is FoldedVerdict {
  return typeof value === 'object' && value !== null && classes.some((one) => one.holds(value))
}

const classes: { holds(value: object): boolean }[] = [Plain, Context, Blocks, BlocksContext, PermissionBlocks, PermissionBlocksContext]
const rare = new Map<Shape, typeof FoldedVerdict>()

/** The class of a shape that few rows have. */
function rareClass(shape: Shape): typeof FoldedVerdict {
  const known = rare.get(shape)
  if (known !== undefined) return known
  const made = class extends FoldedVerdict {
    #ours: undefined
    static holds(value: object): boolean {
      return #ours in value
    }
  }
  for (const key of keysOf(shape)) Object.defineProperty(made.prototype, key, { get: readerOf(key) })
  classes.push(made)
  rare.set(shape, made)
  return made
}

function readerOf(key: AlwaysKey) {
  return function (this: FoldedVerdict) {
    return this.folded[key]
  }
}

/** The classes of quiet verdicts by shape: the empty lists that a row's verdicts always have sit on their prototype. */
import type { Walk } from './corridor.ts'
import { QuietVerdict } from './quiet.ts'
import { blocks, blocksContext, context, keysOf, permissionBlocks, permissionBlocksContext, plain, type Shape } from './verdict-shape.ts'

const none: readonly never[] = Object.freeze([])
const noOpinion = Object.freeze({ behavior: 'passthrough' as const, by: none })

// One `new` per class, and in each class a constructor and a mark of its own: V8 makes the objects of a class that it does not know
// beforehand many times slower, and a private field of the base class slower still. The mark tells our verdicts from what looks like one.

class Plain extends QuietVerdict {
  #ours: undefined
  constructor(way: Walk, input: unknown) {
    super(way, input)
  }
  override promised() {
    return Promise.resolve(this)
  }
  static holds(value: object): boolean {
    return #ours in value
  }
}

class Context extends QuietVerdict {
  #ours: undefined
  constructor(way: Walk, input: unknown) {
    super(way, input)
  }
  override promised() {
    return Promise.resolve(this)
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
  constructor(way: Walk, input: unknown) {
    super(way, input)
  }
  override promised() {
    return Promise.resolve(this)
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
  constructor(way: Walk, input: unknown) {
    super(way, input)
  }
  override promised() {
    return Promise.resolve(this)
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
  constructor(way: Walk, input: unknown) {
    super(way, input)
  }
  override promised() {
    return Promise.resolve(this)
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
  constructor(way: Walk, input: unknown) {
    super(way, input)
  }
  override promised() {
    return Promise.resolve(this)
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

/** Makes a quiet verdict of the class of its row. */
export function quietVerdict(way: Walk, input: unknown): QuietVerdict {
  const { shape } = way.plan
  switch (shape) {
    case permissionBlocksContext:
      return new PermissionBlocksContext(way, input)
    case permissionBlocks:
      return new PermissionBlocks(way, input)
    case blocksContext:
      return new BlocksContext(way, input)
    case blocks:
      return new Blocks(way, input)
    case context:
      return new Context(way, input)
    case plain:
      return new Plain(way, input)
    default:
      return new (rareClass(shape))(way, input)
  }
}

/** Whether this is a quiet verdict of ours, and not something that only looks like one. */
export function isQuietVerdict(value: unknown): value is QuietVerdict {
  return typeof value === 'object' && value !== null && classes.some((one) => one.holds(value))
}

const classes: { holds(value: object): boolean }[] = [Plain, Context, Blocks, BlocksContext, PermissionBlocks, PermissionBlocksContext]
const rare = new Map<Shape, new (way: Walk, input: unknown) => QuietVerdict>()

/** The class of a shape that few rows have. */
function rareClass(shape: Shape): new (way: Walk, input: unknown) => QuietVerdict {
  const known = rare.get(shape)
  if (known !== undefined) return known
  const made = class extends QuietVerdict {
    #ours: undefined
    override promised() {
      return Promise.resolve(this)
    }
    static holds(value: object): boolean {
      return #ours in value
    }
  }
  for (const key of keysOf(shape)) Object.defineProperty(made.prototype, key, { value: key === 'permission' ? noOpinion : none })
  classes.push(made)
  rare.set(shape, made)
  return made
}

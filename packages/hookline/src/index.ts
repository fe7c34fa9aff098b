/** The root door of Hookline: runtime-neutral, no files, processes or sockets. */
export { events } from './protocol/events.ts'
export type * from './protocol/event-types.ts'

/** The door for people who test hooks: a Hookline in a folder of its own, example inputs, and a model that follows a script. */
export { example } from './testing/example.ts'
export { type ScriptedReply, scriptedModel } from './testing/scripted-model.ts'
export { createTestHookline, type TestHookline, type TestHooklineOptions } from './testing/test-hookline.ts'

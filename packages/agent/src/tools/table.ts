/** All built-in tools, in the order in which the model is told of them. */
import { bash } from './bash.ts'
import { edit } from './edit.ts'
import { glob } from './glob.ts'
import { grep } from './grep.ts'
import { read } from './read.ts'
import type { AnyTool } from './tool.ts'
import { write } from './write.ts'

export const toolTable: readonly AnyTool[] = [bash, read, write, edit, glob, grep]

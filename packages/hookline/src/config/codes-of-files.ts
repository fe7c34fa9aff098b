/** Codes about files, policy, plugins, permissions and the environment. */
import { events } from '../protocol/events.ts'
import type { CodeEntry } from './codes.ts'

const stop = events.Stop.name
const row = <const T extends Record<string, CodeEntry>>(table: T): T => table

export const fileCodes = row({
  'invalid-json': {
    severity: 'error',
    title: 'The file is not JSON',
    explanation:
      'The text cannot be read as JSON, so nothing in it counts. If an earlier version was loaded, that one stays in force; else what it forbids is not known, and nothing is permitted without a question.',
    example: `{ "hooks": { "${stop}": [ }`,
    fix: `{ "hooks": { "${stop}": [] } }`,
  },
  'unreadable-file': {
    severity: 'error',
    title: 'The file cannot be read',
    explanation:
      'The file is there, but it is a folder, may not be opened, or is not UTF-8 text. What it forbids is not known then, so nothing is permitted without a question; an earlier version that was loaded stays in force.',
    example: 'chmod 000 .claude/settings.json',
    fix: 'chmod 644 .claude/settings.json',
  },
  'not-an-object': {
    severity: 'error',
    title: 'The file holds something else than an object',
    explanation: 'Settings are one JSON object. A list, a text or null is an error, never an empty settings file.',
    example: 'null',
    fix: '{}',
  },
  'too-large': {
    severity: 'error',
    title: 'The file is too large',
    explanation: 'Files over 10 MB are not read.',
    example: 'a settings file of 12 MB',
    fix: 'move data into files that hooks read',
  },
  'too-many': {
    severity: 'error',
    title: 'The file holds too many hooks or rules',
    explanation: 'Of a file that comes with a folder, 10,000 groups, 10,000 hooks and 10,000 rules of each list are read. The others have no effect.',
    example: 'a settings file with 20,000 hooks',
    fix: 'one hook that does the work of many',
  },
  'too-deep': {
    severity: 'error',
    title: 'The file is nested too deeply',
    explanation: 'Objects and lists may be nested at most 64 deep.',
    example: '[[[[…]]]]',
    fix: '[]',
  },
  comment: {
    severity: 'warning',
    title: 'Comments are not portable',
    explanation: 'Hookline reads over comments, but other agents read settings as strict JSON and would drop the whole file.',
    example: '{ "hooks": {} } // team hooks',
    fix: '{ "_comment": "team hooks", "hooks": {} }',
  },
  'trailing-comma': {
    severity: 'warning',
    title: 'Trailing commas are not portable',
    explanation: 'Hookline reads over a comma before a closing bracket, but other agents read settings as strict JSON and would drop the whole file.',
    example: '{ "hooks": {}, }',
    fix: '{ "hooks": {} }',
  },
  'duplicate-key': {
    severity: 'warning',
    title: 'A key stands twice',
    explanation: 'JSON readers take the last one, so what stands under the first is lost without a word.',
    example: `{ "hooks": { "${stop}": […], "${stop}": […] } }`,
    fix: `{ "hooks": { "${stop}": […, …] } }`,
  },
  'kept-last-good': {
    severity: 'warning',
    title: 'The last good version stays in force',
    explanation: 'The file changed and cannot be read now. Its hooks of before keep running, so that a half-written file never switches a guard off.',
    example: `{ "hooks": { "${stop}": [{`,
    fix: `{ "hooks": { "${stop}": [] } }`,
  },
  'same-file': {
    severity: 'info',
    title: 'One file is reached as two sources',
    explanation: 'For example when the agent starts in the home folder. The file is loaded once, as the earlier source.',
    example: 'cd ~ && hookline list',
    fix: 'nothing to do',
  },
  'foreign-format': {
    severity: 'error',
    title: "The file is in another agent's hook format",
    explanation: 'The words of the file belong to another agent. None of its hooks runs here.',
    example: '{ "version": 1, "hooks": { "preToolUse": [{ "type": "command", "bash": "./g.sh" }] } }',
    fix: `{ "hooks": { "${events.PreToolUse.name}": [{ "hooks": [{ "type": "command", "command": "./g.sh" }] }] } }`,
  },
  'invalid-front-matter': {
    severity: 'error',
    title: 'The front matter cannot be read',
    explanation: 'The head of a skill or agent, between two lines of three hyphens, is plain YAML without aliases. Hooks that cannot be read do not run.',
    example: `hooks: { ${stop}: [`,
    fix: `hooks: { ${stop}: [] }`,
  },
  'policy-entry': {
    severity: 'warning',
    title: 'A policy key does not count',
    explanation: 'Some keys count only in managed or user settings, and some values cannot be used. The rest of the policy stands.',
    example: '{ "allowManagedHooksOnly": true } in a project file',
    fix: 'the same key in managed settings',
  },
  'disabled-hooks': {
    severity: 'info',
    title: 'Hooks are switched off',
    explanation: '"disableAllHooks" or "disabledHooks" switches hooks off. Managed hooks stay on unless managed settings say so.',
    example: '{ "disableAllHooks": true }',
    fix: '{ "disableAllHooks": false }',
  },
  'reserved-env': {
    severity: 'warning',
    title: 'A project may not set this variable',
    explanation: 'Variables that load code, choose endpoints or move configuration are dropped from the "env" of a project, local or plugin file.',
    example: '{ "env": { "NODE_OPTIONS": "--require ./x.js" } } in a project file',
    fix: 'the same entry in your user settings, if you want it',
  },
  'invalid-rule': {
    severity: 'error',
    title: 'A rule cannot be read',
    explanation: 'Rules have the form Tool or Tool(specifier). A hook whose "if" cannot be read is off, unless it fails closed.',
    example: '{ "if": "Bash(git *" }',
    fix: '{ "if": "Bash(git *)" }',
  },
  'plugin-gone': {
    severity: 'warning',
    title: 'The folder of a plugin is gone',
    explanation: 'The plugin is enabled, but its folder is not there. Its hooks are skipped.',
    example: '{ "enabledPlugins": { "fmt@market": true } } after the plugin was removed',
    fix: '{ "enabledPlugins": { "fmt@market": false } }',
  },
  'plugin-file': {
    severity: 'error',
    title: 'A hook file of a plugin cannot be used',
    explanation: 'The manifest names a file that is missing, or one outside the plugin.',
    example: '{ "name": "fmt", "hooks": "../hooks.json" }',
    fix: '{ "name": "fmt", "hooks": "./more-hooks.json" }',
  },
  'plugin-hooks-twice': {
    severity: 'info',
    title: 'The manifest names hooks/hooks.json',
    explanation: 'hooks/hooks.json is loaded by itself; it is loaded once.',
    example: '{ "name": "fmt", "hooks": "./hooks/hooks.json" }',
    fix: '{ "name": "fmt" }',
  },
  'same-command-in-plugin': {
    severity: 'info',
    title: 'A plugin has the same hook',
    explanation: 'Copies of a hook in settings files run once, but the copy of a plugin is a hook of its own. Both run.',
    example: 'the same command in .claude/settings.json and in a plugin',
    fix: 'remove one of the two',
  },
})

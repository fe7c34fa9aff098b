/** Self-protection as a judgement: what counts as changing something protected, and what is only reading. */
import { describe, expect, test } from 'vitest'
import type { RuleCall } from '../../src/permission/call.ts'
import { refusalOf } from '../../src/permission/protected-call.ts'
import { type ProtectedPath, ProtectedPaths } from '../../src/permission/protected-paths.ts'

const settings = { what: 'a settings file of the agent', command: 'init' as const }
const guarded: readonly ProtectedPath[] = [
  { path: '/p/.claude/settings.json', ...settings },
  { path: '/p/.claude/settings.local.json', ...settings },
  { path: '/home/ann/.claude/settings.json', ...settings },
  { path: '/etc/claude-code', folder: true, what: 'the policy of this machine' },
  { path: '/home/ann/.local/state/hookline', folder: true, what: 'what Hookline keeps: trust and the audit log', command: 'trust' },
  { path: '/p/.claude/hooks/guard.sh', what: 'a script of a hook' },
  { path: '/p/tools/check.js', what: 'a script of a hook' },
]
const links: Readonly<Record<string, string>> = {
  '/p/link.json': '/p/.claude/settings.json',
  '/p/conf/settings.json': '/p/.claude/settings.json',
  '/p/notes.txt': '/elsewhere/notes.txt',
}
const ground = {
  paths: new ProtectedPaths(guarded, { projectDir: '/p', home: '/home/ann' }),
  home: '/home/ann',
  variable: (name: string) => ({ HOME: '/home/ann', CLAUDE_PROJECT_DIR: '/p', TMP: '/tmp' })[name],
  realPath: (path: string) => links[path],
}
const refused = (call: Omit<RuleCall, 'cwd'>) => refusalOf({ cwd: '/p', ...call }, ground) !== undefined
const bash = (command: string) => refused({ tool: 'Bash', input: { command } })

describe('a shell command is refused when it', () => {
  test.each<[what: string, command: string]>([
    ['writes by a redirect', 'echo {} > .claude/settings.json'],
    ['appends', "printf '%s' x >> ./.claude/settings.local.json"],
    ['creates a file that is not there yet', 'cat > .claude/settings.local.json <<EOF\n{}\nEOF'],
    ['forces the redirect', 'echo x >| .claude/settings.json'],
    ['redirects both streams', 'make &> .claude/settings.json'],
    ['opens it for both', 'exec 3<> .claude/settings.json'],
    ['names it from the root', 'echo x > /p/.claude/settings.json'],
    ['goes up and down again', 'echo x > src/../.claude//./settings.json'],
    ['names it from home', 'echo x > ~/.claude/settings.json'],
    ['names home by a variable', 'echo x > "$HOME/.claude/settings.json"'],
    ['names the project by a variable', 'echo x > ${CLAUDE_PROJECT_DIR}/.claude/settings.json'],
    ['sets a variable first', 'D=.claude; echo x > $D/settings.json'],
    ['sets a variable for the file', 'F=.claude/settings.json && echo x > "$F"'],
    ['names the folder by a variable that nobody knows', 'echo x > "$SOMEWHERE/.claude/settings.json"'],
    ['asks git for the folder', 'echo x > "$(git rev-parse --show-toplevel)/.claude/settings.json"'],
    ['changes the folder first', 'cd .claude && echo x > settings.json'],
    ['changes the folder twice', 'cd src; cd ../.claude; rm settings.json'],
    ['changes to a folder by a variable', 'cd "$HOME/.claude" && rm settings.json'],
    ['quotes the name apart', `echo x > .cl''aude/"settings".json`],
    ['writes in other letters', 'echo x > .CLAUDE/Settings.JSON'],
    ['uses a pattern', 'rm .claude/set*.json'],
    ['uses a pattern for the folder', 'rm .cl*/settings.json'],
    ['uses braces', 'rm .claude/settings.{json,local.json}'],
    ['pipes into tee', 'echo x | tee .claude/settings.json'],
    ['pipes into tee as another user', 'echo x | sudo tee -a /etc/claude-code/managed-settings.json'],
    ['copies over it', 'cp /tmp/x.json .claude/settings.json'],
    ['copies into the folder', 'cp /tmp/settings.json .claude/'],
    ['copies into the folder by an option', 'cp -t .claude /tmp/settings.json'],
    ['copies a whole folder over it', 'cp -r /tmp/new/. .claude'],
    ['moves something over it', 'mv /tmp/x.json .claude/settings.json'],
    ['moves it away', 'mv .claude/settings.json /tmp/'],
    ['moves its folder away', 'mv .claude .claude.old'],
    ['moves another folder in its place', 'mv /tmp/claude .claude'],
    ['deletes it', 'rm -f .claude/settings.json'],
    ['deletes its folder', 'rm -rf .claude'],
    ['links it under another name', 'ln .claude/settings.json src/x.json'],
    ['links its folder under another name', 'ln -s /p/.claude src/c'],
    ['puts a link in its place', 'ln -sf /tmp/evil.json .claude/settings.json'],
    ['edits it in place', "sed -i 's/deny/allow/' .claude/settings.json"],
    ['edits it in place with a suffix', "sed -i.bak -e 's/a/b/' .claude/settings.json"],
    ['writes it from a sed script', "sed -n 'w .claude/settings.json' x.json"],
    ['edits it with perl', "perl -pi -e 's/deny/allow/' .claude/settings.json"],
    ['lets an editor change it', "ex -s -c '%d|x' .claude/settings.json"],
    ['writes it with dd', 'dd if=/tmp/x of=.claude/settings.json'],
    ['cuts it', 'truncate -s 0 .claude/settings.json'],
    ['installs a file', 'install -m 644 x.json .claude/settings.json'],
    ['makes it unreadable', 'chmod 000 .claude/hooks/guard.sh'],
    ['sorts into it', 'sort -o .claude/settings.json x'],
    ['downloads into it', 'curl -so .claude/settings.json https://example.com/x'],
    ['downloads with a long option', 'wget --output-document=.claude/settings.json https://example.com'],
    ['unpacks into its folder', 'tar xf new.tar -C .claude settings.json'],
    ['formats it', 'prettier --write .claude/settings.json'],
    ['runs python that names it', `python3 -c "open('.claude/settings.json','w').write('{}')"`],
    ['runs python that puts the name together', `python3 -c "import pathlib; (pathlib.Path('.claude') / 'settings.json').write_text('{}')"`],
    ['feeds python a text', "python3 - <<'EOF'\nopen('.claude/settings.json', 'w')\nEOF"],
    ['pipes code into node', `echo "require('fs').writeFileSync('.claude/settings.json', '')" | node`],
    ['runs node code', `node -e "require('fs').unlinkSync('.claude/hooks/guard.sh')"`],
    ['runs a script of somebody on it', 'python3 edit.py .claude/settings.json'],
    ['writes it inside another shell', `bash -c 'echo x > .claude/settings.json'`],
    ['writes it inside eval', `eval "echo x > .claude/settings.json"`],
    ['writes it in a substitution', 'echo $(echo x > .claude/settings.json)'],
    ['writes it in a loop', 'for f in .claude/settings.json; do echo x > $f; done'],
    ['finds and deletes it', 'find . -name settings.json -delete'],
    ['finds it by its folder', "find / -path '*/.claude/*' -delete"],
    ['finds it in the folder it is in', 'find ~ -iname "settings*" -exec rm {} ;'],
    ['deletes everything that does not begin with a dot, scripts of hooks too', 'rm -rf ./*'],
    ['finds and edits what is in its folder', "find .claude -type f -exec sed -i 's/a/b/' {} +"],
    ['hands the name to xargs', 'ls .claude/settings.json | xargs rm'],
    ['restores it with git', 'git checkout HEAD~1 -- .claude/settings.json'],
    ['removes it with git', 'git rm -f .claude/settings.json'],
    ['moves its folder with git', 'git mv .claude old'],
    ['applies a patch that changes it', 'git apply <<EOF\n--- a/.claude/settings.json\n+++ b/.claude/settings.json\n@@ -1 +1 @@\n-{}\n+{"a":1}\nEOF'],
    ['writes a script of a hook', 'echo exit 0 > .claude/hooks/guard.sh'],
    ['writes a script of a hook elsewhere', 'cp x.js tools/check.js'],
    ['writes a git hook', 'echo x > .git/hooks/pre-commit'],
    ['writes a git hook of another repository', 'cp x /tmp/clone/.git/hooks/post-checkout'],
    ['makes a git hook run', 'chmod +x .git/hooks/pre-push'],
    ['writes a hook of a submodule', 'echo x > .git/modules/lib/hooks/pre-commit'],
    ['moves git hooks elsewhere', 'git config core.hooksPath /tmp/hooks'],
    ['moves git hooks elsewhere for everything', 'git config --global core.hooksPath /tmp/hooks'],
    ['takes a place of git hooks away', 'git -C sub config --unset core.hooksPath'],
    ['writes the settings of git', 'echo "[core]" >> .git/config'],
    ['puts another repository in place', 'mv /tmp/evil.git .git'],
    ['writes the trust records', 'echo {} > ~/.local/state/hookline/trust/x.json'],
    ['deletes the log', 'rm -rf ~/.local/state/hookline/log'],
    ['deletes everything that is kept', 'rm -rf ~/.local/state'],
    ['deletes the project', 'rm -rf /p'],
    ['deletes the project from within', 'rm -rf .'],
    ['deletes it by its variable', 'rm -rf "$CLAUDE_PROJECT_DIR"/'],
    ['deletes what is above the project', 'rm -rf ..'],
    ['deletes the home', 'rm -rf ~'],
    ['deletes the disk', 'sudo rm -rf --no-preserve-root /'],
    ['deletes all homes', 'rm -r /home'],
    ['moves the project away', 'mv /p /tmp/old'],
    ['finds everything and deletes it', 'find . -mindepth 1 -delete'],
    ['finds every file and deletes it', 'find ~ -type f -delete'],
    ['deletes all that git ignores', 'git clean -fdx'],
    ['answers for the folder itself', 'hookline trust approve --yes --digest 07f6ed'],
    ['lets somebody answer for the folder', 'yes | hookline trust'],
    ['takes an answer back', 'hookline trust revoke'],
    ['answers for the folder by npx', 'npx hookline trust'],
    ['writes through a link', 'echo x > link.json'],
    ['writes through a linked folder', 'cp x conf/settings.json'],
    ['hands a link to a program that nobody knows', 'prettier --write link.json'],
    ['hands a pattern to a program that nobody knows', 'gzip .cl*/set*'],
    ['hands a name quoted apart to a program that nobody knows', "prettier --write .claude/set''tings.json"],
    ['quotes the program apart', "'r'm -rf .cl*"],
    ['masks a letter of the program', 'r\\m -rf .'],
    ['sets a variable to a pattern', 'f=.clau[d]e/settings.json; echo x > $f'],
    ['sets a variable by another', 'f=${HOME}/../ann/.claude/settings.json; echo x > $f'],
    ['sets a variable twice', 'f=link.json; echo x > $f; f=out.txt'],
    ['sets a variable that has a value already, in a loop', 'for TMP in .claude/settings.json; do echo x > $TMP; done'],
    ['reads a variable that has a value already', 'read TMP <<< .claude/settings.json; echo x > $TMP'],
    ['exports a variable that has a value already', 'export TMP=.claude; echo x > $TMP/settings.json'],
    ['has a value for a variable that has none', 'cp x.json ${X:-.git/hooks/post-merge}'],
    ['has a link for a variable that has none', 'cp x.json ${X:-link.json}'],
    ['keeps a link in a list', 'a=(link.json); cp x.json "${a[0]}"'],
    ['prints a link', 'cp x.json `echo link.json`'],
    ['prints a part of the path', 'tee "$(echo .claude)/settings.json" < x'],
    ['prints a part of the path to a program that nobody knows', 'openssl rand -out "$(echo .claude)/settings.json" 4'],
    ['quotes the path apart for xargs', 'echo .clau""de/settings.json | xargs cp x.json'],
    ['masks a letter of the path for xargs', 'echo .claude/set\\tings.json | xargs cp x.json'],
    ['loops over endings', 'for f in .claude/settings.{json,x}; do echo x > $f; done'],
    ['loops over a path with a masked letter', 'for f in .claude/set\\tings.json; do echo x > $f; done'],
    ['lets git write it as a settings file', 'git config -f .git/hooks/post-merge a.b c'],
    ['lets git write it as a settings file, by a long option', 'git config --file=.claude/settings.json --add a.b c'],
    ['prints what a link leads to', 'ln -s `echo link.json` x; echo y > x'],
    ['does it last of many', 'npm test && git add -A && echo x > .claude/settings.json'],
    ['does it behind a wrapper', 'timeout 5 nohup tee .claude/settings.json < x'],
  ])('%s', (_, command) => {
    expect(bash(command)).toBe(true)
  })
})

describe('a shell command is let pass when it', () => {
  test.each<[what: string, command: string]>([
    ['has nothing to do with it', 'npm test'],
    ['writes elsewhere', 'npm run build > build.log 2>&1'],
    ['throws output away', 'grep -r foo . > /dev/null 2>&1'],
    ['shows it', 'cat .claude/settings.json'],
    ['shows a part of it', 'head -5 .claude/settings.json && tail -1 ~/.claude/settings.json'],
    ['searches it', 'grep -n hooks .claude/settings.json | sort'],
    ['queries it', "jq '.hooks' .claude/settings.json"],
    ['queries it into another file', "jq '.hooks' .claude/settings.json > hooks.txt"],
    ['prints a line of it', 'sed -n 1,5p .claude/settings.json'],
    ['prints a field of it', "awk '{print $1}' .claude/settings.json"],
    ['compares it', 'diff .claude/settings.json /tmp/x.json'],
    ['lists its folder', 'ls -la .claude .git/hooks'],
    ['counts it', 'wc -l < .claude/settings.json'],
    ['copies it away', 'cp .claude/settings.json /tmp/backup.json'],
    ['finds it', "find . -name 'settings*.json' -not -path './node_modules/*'"],
    ['checks whether it is there', 'test -f .claude/settings.json && echo yes'],
    ['checks its syntax', 'python3 -m json.tool .claude/settings.json'],
    ['hands it to python', `cat .claude/settings.json | python3 -c "import sys, json; print(json.load(sys.stdin))"`],
    ['hands it to a script', 'cat .claude/settings.json | node scripts/read.js'],
    ['shows its history', 'git log -p -- .claude/settings.json'],
    ['shows its changes', 'git diff .claude/settings.json'],
    ['adds it to a commit', 'git add .claude/settings.json && git commit -m "settings.json in .claude changed"'],
    ['speaks of it', 'echo "edit .claude/settings.json yourself"'],
    ['speaks of it in a commit', 'git commit -m "document .claude/settings.json"'],
    ['writes about it elsewhere', "echo '.claude/settings.json' >> .gitignore"],
    ['runs a script of a hook', '.claude/hooks/guard.sh < input.json'],
    ['runs a script of a hook with its shell', 'bash .claude/hooks/guard.sh'],
    ['runs a script of a hook with node', 'node tools/check.js src'],
    ['asks us about it', 'hookline validate .claude/settings.json && hookline explain PreToolUse'],
    ['asks what is trusted', 'hookline trust status && hookline trust show --json && hookline trust --help'],
    ['reads where git hooks are', 'git config --get core.hooksPath; git config core.hooksPath'],
    ['sets another git setting', 'git config user.name Ann'],
    ['lets git read it as a settings file', 'git config -f .claude/settings.json --get a.b; git config -f .claude/settings.json a.b'],
    ['sets a variable twice, elsewhere', 'f=a.txt; echo x > $f; f=b.txt; echo x > $f'],
    ['loops over other files', 'for f in *.txt src/{a,b}.ts; do cp x.json "$f"; done'],
    ['makes another folder beside it', 'mkdir -p .claude/skills/new && echo x > .claude/skills/new/SKILL.md'],
    ['deletes something beside it', 'rm .claude/agents/old.md'],
    ['deletes what a plain pattern finds', 'rm -rf dist/* build'],
    ['deletes another project', 'rm -rf /q ../q ~/q'],
    ['finds and deletes what is empty or old', 'find . -type d -empty -delete; find . -mtime +7 -delete'],
    ['deletes what git does not know', 'git clean -fd && git clean -fdx build && git clean -fdx -e .claude -e .hookline'],
    ['links to the project', 'ln -s /p /tmp/here && ln -s ~ /tmp/home'],
    ['finds and deletes other files', "find . -name '*.pyc' -delete"],
    ['replaces in all sources', "find src -type f -exec sed -i 's/a/b/' {} +"],
    ['copies a template into the project', 'cp -r /tmp/template/. .'],
    ['moves something into the project', 'mv /tmp/README.md .'],
    ['writes a settings file that is none of ours', 'echo {} > app/settings.json'],
    ['writes a settings file by a variable', 'echo {} > "$OUT/settings.json"'],
    ['writes into a github folder', 'cat > .github/hooks.yml <<EOF\nx\nEOF'],
    ['writes what a link elsewhere leads to', 'echo x > notes.txt'],
    ['makes a repository', 'git init /tmp/x && rm -rf /tmp/x/.git'],
    ['unpacks elsewhere', 'tar xzf pkg.tgz -C /tmp/x'],
    ['runs other code', `python3 -c "open('out.txt','w').write('x')"`],
  ])('%s', (_, command) => {
    expect(bash(command)).toBe(false)
  })
})

const nested = (depth: number, inner: Record<string, unknown>): Record<string, unknown> => {
  let value = inner
  for (let at = 0; at < depth; at++) value = { changes: [value] }
  return value
}

describe('a tool is refused when it', () => {
  test.each<[what: string, tool: string, input: Record<string, unknown>]>([
    ['writes the file', 'Write', { file_path: '/p/.claude/settings.json', content: '{}' }],
    ['writes it by a relative path', 'Write', { file_path: '.claude/settings.local.json', content: '{}' }],
    ['edits it', 'Edit', { file_path: '/p/x/../.claude/settings.json', old_string: 'a', new_string: 'b' }],
    ['edits many places of it', 'MultiEdit', { file_path: '/p/.claude/settings.json', edits: [] }],
    ['edits a notebook that is none', 'NotebookEdit', { notebook_path: '/p/.claude/hooks/guard.sh', new_source: '' }],
    ['writes through a link', 'Write', { file_path: '/p/link.json', content: '{}' }],
    ['writes a git hook', 'Write', { file_path: '/p/.git/hooks/pre-commit', content: 'x' }],
    ['writes with dots at the end', 'Write', { file_path: '/p/.claude/settings.json. .', content: 'x' }],
    ['writes with characters that nobody sees', 'Write', { file_path: '/p/.g\u200Cit/hooks/x', content: 'x' }],
    ['writes as a server calls it', 'mcp__fs__write_file', { path: '/p/.claude/settings.json', content: '{}' }],
    ['moves as a server calls it', 'mcp__fs__move_file', { source: '/tmp/x', destination: '/p/.claude/settings.json' }],
    ['edits by camel case', 'mcp__ide__replaceText', { targetFile: '/p/.claude/settings.json', newText: 'x' }],
    ['names a list of files', 'mcp__fs__delete_files', { paths: ['/tmp/a', '/p/.claude/settings.json'] }],
    ['names files deep inside', 'mcp__fs__apply', { changes: [{ file: { path: '.claude/settings.json' }, text: 'x' }] }],
    ['names a URL', 'mcp__lsp__applyEdit', { uri: 'file:///p/.claude/settings%2Ejson' }],
    ['names folder and file apart', 'mcp__fs__create', { directory: '/p/.claude', name: 'settings.json' }],
    ['deletes the folder it is in', 'mcp__fs__delete_directory', { path: '/p/.claude' }],
    ['deletes the project', 'mcp__fs__remove', { path: '/p' }],
    ['is many tools in one, and deletes', 'mcp__fs__manage', { action: 'delete', path: '/p/.claude' }],
    ['moves the folder away', 'mcp__fs__rename', { oldPath: '/p/.claude', newPath: '/p/old' }],
    ['does not say what it does', 'mcp__x__process', { file: '/p/.claude/settings.json' }],
    ['runs a command of its own', 'mcp__term__run_command', { command: 'echo x > .claude/settings.json' }],
    ['has another name for a shell', 'bash', { cmd: 'rm .claude/settings.json' }],
    ['takes a command word by word', 'shell', { command: ['bash', '-lc', 'echo x > .claude/settings.json'] }],
    ['is an editor of many commands', 'str_replace_based_edit_tool', { command: 'create', path: '/p/.claude/settings.json', file_text: '{}' }],
    ['applies a patch', 'apply_patch', { input: '*** Begin Patch\n*** Update File: .claude/settings.json\n@@\n-a\n+b\n*** End Patch' }],
    ['is PowerShell', 'PowerShell', { command: "Set-Content -Path .claude\\settings.json -Value '{}'" }],
    ['is PowerShell with a redirect', 'PowerShell', { command: 'Get-Content x > .claude/settings.json' }],
    ['moves and says that it looks', 'mcp__fs__write_file', { path: '/p/.claude/settings.json', content: '{}', action: 'read' }],
    ['is many tools in one, and says two things', 'mcp__fs__manage', { action: 'delete', mode: 'view', path: '/p/.claude' }],
    ['looks, and runs a command beside it', 'mcp__x__process', { action: 'view', script: 'rm .claude/settings.json' }],
    ['names files very deep inside', 'mcp__fs__apply', nested(40, { path: '.claude/settings.json' })],
    ['names files deeper than a stack reaches', 'mcp__fs__apply', nested(20_000, { path: '.claude/settings.json' })],
    [
      'names the file behind many others',
      'mcp__fs__delete_files',
      { paths: [...Array.from({ length: 2_000 }, (_, at) => `/q/${at}`), '/p/.claude/settings.json'] },
    ],
    ['names files as keys', 'mcp__fs__write_files', { files: { '.claude/settings.json': '{}' } }],
    ['calls the path a name', 'mcp__fs__create', { name: '.claude/settings.json' }],
    ['writes by a path longer than a disk takes', 'Write', { file_path: `/p/${'./'.repeat(3_000)}.claude/settings.json`, content: '{}' }],
    ['writes through a link by a path longer than a disk takes', 'Write', { file_path: `/p/${'x/../'.repeat(3_000)}link.json`, content: '{}' }],
    ['watches with a command', 'Monitor', { command: 'tail -f log | tee .claude/settings.json' }],
  ])('%s', (_, tool, input) => {
    expect(refused({ tool, input })).toBe(true)
  })
})

const circle: Record<string, unknown> = { path: '/p/src' }
circle['self'] = circle

describe('a tool is let pass when it', () => {
  test.each<[what: string, tool: string, input: Record<string, unknown>]>([
    ['reads', 'Read', { file_path: '/p/.claude/settings.json' }],
    ['searches', 'Grep', { pattern: 'hooks', path: '/p/.claude/settings.json' }],
    ['lists', 'Glob', { pattern: '.claude/**' }],
    ['writes elsewhere', 'Write', { file_path: '/p/src/a.ts', content: 'see .claude/settings.json' }],
    ['writes a document about it', 'Write', { file_path: '/p/README.md', content: 'Put this into .claude/settings.json:\n```\n{}\n```' }],
    ['reads as a server calls it', 'mcp__fs__read_text_file', { path: '/p/.claude/settings.json' }],
    ['reads by camel case', 'mcp__ide__getFileContents', { path: '/p/.claude/settings.json' }],
    ['lists as a server calls it', 'mcp__fs__list_directory', { path: '/p/.claude' }],
    ['is an editor of many commands that looks', 'str_replace_based_edit_tool', { command: 'view', path: '/p/.claude/settings.json' }],
    ['asks a subagent', 'Agent', { prompt: 'look at .claude/settings.json', description: 'x', subagent_type: 'Explore' }],
    ['fetches', 'WebFetch', { url: 'https://example.com/.claude/settings.json', prompt: 'x' }],
    ['writes elsewhere, with keys that are no paths', 'mcp__db__save', { files: { 'a.txt': '.claude/settings.json' }, name: 'settings.json' }],
    ['has a circle in its input', 'mcp__x__process', circle],
    ['moves something into the project', 'mcp__fs__move_file', { source: '/tmp/x', destination: '/p' }],
    ['deletes something else', 'mcp__fs__delete_directory', { path: '/p/dist' }],
    ['writes something else as a server calls it', 'mcp__fs__write_file', { path: '/p/src/settings.json', content: '/p/.claude/settings.json' }],
    ['is PowerShell that reads', 'PowerShell', { command: 'Get-Content .claude/settings.json | Select-String hooks' }],
    ['has no path at all', 'Write', {}],
    ['has a path of the wrong type', 'Write', { file_path: 7 }],
  ])('%s', (_, tool, input) => {
    expect(refused({ tool, input })).toBe(false)
  })
})

test('the refusal says what the path is, that reading is allowed, and how a person changes it', () => {
  expect(refusalOf({ tool: 'Write', input: { file_path: '.claude/settings.json' }, cwd: '/p' }, ground)).toBe(
    '/p/.claude/settings.json is a settings file of the agent, and no tool may change it: it is part of what guards this session. Reading it is allowed. ' +
      'If it should change, ask the person to change it: in an editor, or in a terminal of their own. ' +
      'They can switch this protection off with "selfProtection": false in their user settings.',
  )
})

test('a protected folder that is a link itself is protected under both names', () => {
  const paths = new ProtectedPaths(guarded, { projectDir: '/p', realPath: (path) => path.replace('/p/.claude', '/dotfiles/claude') })
  expect(refusalOf({ tool: 'Write', input: { file_path: '/dotfiles/claude/settings.json' }, cwd: '/p' }, { ...ground, paths })).toContain(
    '/p/.claude/settings.json',
  )
})

test('a plain command costs a look at its text and nothing more', () => {
  const untouchable = { ...ground, realPath: () => expect.unreachable('the disk is not asked') }
  for (const command of ['npm', 'ls -la', 'grep -rn foo src | head', 'git status && git diff HEAD 2>&1 | tail -20'])
    expect(refusalOf({ tool: 'Bash', input: { command }, cwd: '/p' }, untouchable as never)).toBeUndefined()
})

test('hostile input is judged in no time and never throws', () => {
  const startedAt = performance.now()
  for (const command of [
    '>'.repeat(5_000),
    `rm ${'*a'.repeat(4_000)}`,
    `echo x > ${'../'.repeat(3_000)}.claude/settings.json`,
    `${'cd a;'.repeat(2_000)}rm x`,
    '$('.repeat(3_000),
  ])
    expect(() => bash(command)).not.toThrow()
  expect(performance.now() - startedAt).toBeLessThan(10_000)
})

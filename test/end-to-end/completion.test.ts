import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { sanitize } from '../../src/render/text/sanitize.ts';
import { serve } from '../http-service.ts';
import { testNeeding } from '../needs.ts';
import { makeReleaseWithTicker } from '../publish/releases.ts';
import { makeHome, runFin, sendJson } from './run-fin.ts';
import { hasTerminals, openTerminal } from './terminal.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Makes a home directory with the program `fin`; returns environment variables whose PATH contains it. */
function installFin(): { readonly HOME: string; readonly PATH: string } {
  const HOME = makeHome();
  const file = join(HOME, 'fin');
  writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'bin/fin.js')}" "$@"\n`);
  chmodSync(file, 0o755);
  return { HOME, PATH: `${HOME}:${process.env.PATH}` };
}

const isInstalled = (shell: string): boolean => spawnSync(shell, ['-c', ':']).status === 0;

const completeInBash = (line: string): string[] => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: bash reads it.
  const script = 'source "$0"; COMP_LINE="$1"; COMP_POINT=${#1}; _fin fin; printf "%s\\n" "${COMPREPLY[@]}"';
  const { stdout, stderr } = spawnSync('bash', ['-c', script, join(ROOT, 'completions/fin.bash'), line], {
    env: installFin(),
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((text) => text !== '');
};

testNeeding('bash', isInstalled('bash'))(
  'in bash, commands, options, and operators after a colon are completed',
  () => {
    expect(completeInBash('fin scr')).toEqual(['screen']);
    expect(completeInBash('fin data ')).toEqual(
      'fetch build analytics sql tables status check diff use publish pull keygen'.split(' '),
    );
    // bash splits words at the colon, so only the text after the colon is completed.
    expect(completeInBash('fin screen --where revenue_yoy:')).toEqual(['gte:', 'lte:', 'gt:', 'lt:']);
    expect(completeInBash('fin metrics AAP')).toEqual(['AAP', 'AAPL']);
  },
);

const completeInFish = (line: string, cwd?: string): string[] => {
  const script = 'source $argv[1]; complete -C $argv[2]';
  const file = join(ROOT, 'completions/fin.fish');
  const { stdout } = spawnSync('fish', ['-c', script, file, line], { env: installFin(), cwd, encoding: 'utf8' });
  return stdout.trim().split('\n');
};

testNeeding('fish', isInstalled('fish'))('in fish, values are completed with their descriptions', () => {
  expect(completeInFish('fin scr')).toEqual(['screen\tFilter and sort companies by their figures']);
  expect(completeInFish('fin screen --where revenue_y')).toEqual(['revenue_yoy:']);
});

testNeeding('zsh', isInstalled('zsh'))('in zsh the completion script loads and completes a command', () => {
  const script =
    'compdef() { :; }; compadd() { print -l -- $values $open; }; source "$0"; words=(fin scr); CURRENT=2; _fin';
  const { stdout } = spawnSync('zsh', ['-f', '-c', script, join(ROOT, 'completions/_fin')], {
    env: installFin(),
    encoding: 'utf8',
  });
  expect(stdout.trim()).toBe('screen');
});

/**
 * Makes a directory in which each typed prefix has one correct completion. `re` also matches a file, but the tests
 * complete a directory.
 */
function makeDirectoryToComplete(): string {
  const directory = makeHome();
  for (const name of ['chart.svg', 'key.txt', 'release.txt']) writeFileSync(join(directory, name), '');
  mkdirSync(join(directory, 'releases'));
  return directory;
}

/** The typed line before TAB, and the completed text. */
const PATH_COMPLETIONS: readonly (readonly [line: string, completed: string])[] = [
  ['fin prices AAPL --svg ch', 'chart.svg'],
  ['fin prices AAPL --html=ch', '--html=chart.svg'],
  ['fin release --api-key-file ke', 'key.txt'],
  ['fin serve --tls-cert=ke', '--tls-cert=key.txt'],
  ['fin data build --from re', 'releases/'],
  ['fin data build --out=re', '--out=releases/'],
];

const START_COMMAND_BY_SHELL: Readonly<Record<string, string>> = {
  bash: 'bash --norc --noprofile -i',
  zsh: 'zsh -f -i',
  fish: 'fish --no-config -i',
};

/** The command that loads the completion script, by shell. */
const LOAD_COMMANDS: Readonly<Record<string, string>> = {
  bash: `source ${join(ROOT, 'completions/fin.bash')}`,
  zsh: `autoload -U compinit; compinit -D -u; source ${join(ROOT, 'completions/_fin')}`,
  fish: `source ${join(ROOT, 'completions/fin.fish')}`,
};

for (const shell of ['bash', 'zsh'])
  testNeeding(`script(1) and ${shell}`, hasTerminals && isInstalled(shell))(
    `in ${shell}, TAB completes the paths that options take`,
    async () => {
      const { terminalText, type, exitCode } = openTerminal(
        START_COMMAND_BY_SHELL[shell] ?? '',
        { ...installFin(), PS1: '$ ' },
        makeDirectoryToComplete(),
      );
      type(`${LOAD_COMMANDS[shell]}; echo rea""dy\n`);
      await expect.poll(terminalText).toMatch(/^ready/m);
      for (const [line, completed] of PATH_COMPLETIONS) {
        const start = terminalText().length;
        const newText = () => terminalText().slice(start);
        type(`${line}\t`);
        await expect.poll(newText, { message: line }).toContain(completed.replace(/\/$/, '').slice(-6));
        // Prints the words of the completed line; zsh may remove a final slash when the line is run. A prompt follows.
        type("\u0001printf '<%s>' \n");
        await expect.poll(newText, { message: line }).toMatch(new RegExp(`<${completed}?>[^]*\\$ `));
      }
      type('exit\n');
      await exitCode;
    },
  );

const FISH_FILE = '~/.config/fish/completions/fin.fish';
const INSTALL_IN_FISH = `mkdir -p ~/.config/fish/completions; fin completion fish > ${FISH_FILE}`;

/** How users install completion and call fin, and the line that they type before TAB. */
const USES: readonly (readonly [shell: string, setup: string, line: string])[] = [
  ['bash', 'eval "$(fin completion bash)"', 'fin scr'],
  ['bash', 'eval "$(fin completion bash)"; alias f=fin; complete -o default -F _fin f', 'f scr'],
  ['bash', 'eval "$(fin completion bash)"', '~/fin scr'],
  ['bash', 'eval "$(fin completion bash)"', '$HOME/fin scr'],
  ['bash', 'eval "$(fin completion bash)"', 'fin "scr'],
  ['bash', 'eval "$(fin completion bash)"; IFS=:e', 'fin scr'],
  [
    'zsh',
    'mkdir ~/fn; fin completion zsh > ~/fn/_fin; fpath=(~/fn $fpath); autoload -U compinit; compinit -D -u',
    'fin scr',
  ],
  ['zsh', 'eval "$(fin completion zsh)"; autoload -U compinit; compinit -D -u', 'fin scr'],
  ['zsh', 'autoload -U compinit; compinit -D -u; eval "$(fin completion zsh)"; alias f=fin', 'f scr'],
  ['zsh', 'autoload -U compinit; compinit -D -u; eval "$(fin completion zsh)"', '~/fin scr'],
  ['zsh', 'autoload -U compinit; compinit -D -u; eval "$(fin completion zsh)"', "fin 'scr"],
  ['zsh', 'autoload -U compinit; compinit -D -u; eval "$(fin completion zsh)"; IFS=:e', 'fin scr'],
  ['fish', INSTALL_IN_FISH, 'fin scr'],
  ['fish', `${INSTALL_IN_FISH}; alias f=fin`, 'f scr'],
  ['fish', INSTALL_IN_FISH, '~/fin scr'],
  ['fish', INSTALL_IN_FISH, 'fin "scr'],
];

for (const shell of ['bash', 'zsh', 'fish']) {
  testNeeding(`script(1) and ${shell}`, hasTerminals && isInstalled(shell))(
    `in ${shell}, the first TAB completes a command however it is installed, called and quoted`,
    async () => {
      const uses = USES.filter(([name]) => name === shell);
      await Promise.all(
        uses.map(async ([, setup, line]) => {
          const env = { ...installFin(), PS1: '$ ' };
          // With its configuration, fish looks for the file of a command's completion. Without this directory, it would
          // first make completions of all manual pages.
          if (shell === 'fish')
            mkdirSync(join(env.HOME, '.local/share/fish/generated_completions'), { recursive: true });
          const start = shell === 'fish' ? 'fish -i' : (START_COMMAND_BY_SHELL[shell] ?? '');
          const { terminalText, type, exitCode } = openTerminal(start, env, env.HOME);
          type(`${setup}; echo rea""dy\n`);
          await expect.poll(terminalText).toMatch(/^ready/m);
          type(`${line}\t`);
          await expect.poll(terminalText, { message: `${setup} / ${line}` }).toContain('screen');
          type("\u0001printf '<%s>' \n");
          await expect.poll(terminalText).toContain('<screen>');
          type('exit\n');
          await exitCode;
        }),
      );
    },
  );
}

/** Makes a data directory whose release has a ticker that a shell would execute if it were inserted unquoted. */
async function makeDataWithTicker(ticker: string): Promise<string> {
  const directory = makeHome();
  const releaseDirectory = await makeReleaseWithTicker(ticker);
  mkdirSync(join(directory, 'releases'));
  renameSync(releaseDirectory, join(directory, 'releases', basename(releaseDirectory)));
  return directory;
}

const ATTACK_TICKERS = [
  'ZQ$(touch ran)',
  'ZQ `touch ran`;touch ran;|touch ran&touch ran&>ran <(touch ran) \'";touch ran # *?[a-z]{1,2}~ !x \\ ^y',
  'ZQ\ntouch ran\t\u001b[2J',
];
let attackData: readonly (readonly [ticker: string, dataDirectory: string])[];
beforeAll(async () => {
  attackData = await Promise.all(
    ATTACK_TICKERS.map(async (ticker) => [ticker, await makeDataWithTicker(ticker)] as const),
  );
});

for (const shell of ['bash', 'zsh', 'fish']) {
  testNeeding(`script(1) and ${shell}`, hasTerminals && isInstalled(shell))(
    `in ${shell}, a ticker of a forged release is completed as one quoted word, and Enter does not execute it`,
    async () => {
      for (const [ticker, FIN_DATA_DIR] of attackData) {
        const cwd = makeHome();
        const env = { ...installFin(), FIN_DATA_DIR, PS1: '$ ' };
        const { terminalText, type, exitCode } = openTerminal(START_COMMAND_BY_SHELL[shell] ?? '', env, cwd);
        // A script that prints the words of the completed line, one per line.
        writeFileSync(join(env.HOME, 'show'), '#!/bin/sh\nfor word; do printf "<%s>\\n" "$word"; done; echo do""ne\n');
        chmodSync(join(env.HOME, 'show'), 0o755);
        type(`${LOAD_COMMANDS[shell]}; echo rea""dy\n`);
        await expect.poll(terminalText).toMatch(/^ready/m);
        type('fin metrics ZQ\t');
        await expect.poll(terminalText).toContain('touch');
        type('\u0001show \n');
        await expect.poll(terminalText).toMatch(/^done/m);
        expect(terminalText()).toContain(`<metrics>\r\n<${sanitize(ticker)}>`);
        type('exit\n');
        await exitCode;
        expect(readdirSync(cwd)).not.toContain('ran');
      }
    },
  );
}

testNeeding('fish', isInstalled('fish'))('in fish, paths are completed by fish itself', () => {
  const cwd = makeDirectoryToComplete();
  for (const [line, completed] of PATH_COMPLETIONS) expect(completeInFish(line, cwd)).toEqual([completed]);
});

test('completion sends no request, even if a service is configured', async () => {
  const { baseUrl, requests } = await serve((_, response) => sendJson(response, 200, '{}'));
  const { code, out, err } = await runFin(['__complete', 'metrics', 'AAP'], { env: { FIN_BASE_URL: baseUrl } });
  expect({ code, out, err }).toEqual({ code: 0, out: 'AAP\tADVANCE AUTO PARTS INC\nAAPL\tApple Inc.\n', err: '' });
  expect(requests).toHaveLength(0);
});

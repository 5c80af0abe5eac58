/** A named command with its options, from the arguments to its exit code. Help needs none of this. */
import type { ClientEvent } from '../client/events.ts';
import { hasPages, operationOf } from '../contract/operations.ts';
import { GLOBAL_OPTIONS, type GlobalOptions } from './command-line/global-options.ts';
import { questionOptions, utilityOptions } from './command-line/option-spec.ts';
import { parseOptions } from './command-line/parse.ts';
import { readGlobalOptions } from './command-line/read-global-options.ts';
import { type Connect, type Connection, openConnection } from './connection/connection.ts';
import { eventReporter } from './connection/events.ts';
import { type ConnectionTarget, findTarget } from './connection/target.ts';
import type { Io } from './io.ts';
import { loadCommand } from './load-command.ts';
import { asDrawn } from './pipeline/drawing.ts';
import { ALL } from './pipeline/question-options.ts';
import { runQuestion } from './pipeline/run-question.ts';
import type { Ports } from './ports.ts';
import { runUtility } from './run-utility.ts';

/** Throws the Failure of a command that could not do what was asked. */
export async function execute(name: string, rest: readonly string[], io: Io, ports: Ports): Promise<number> {
  const command = await loadCommand(name);
  const own =
    command.kind === 'question'
      ? // Named everywhere, so that where it cannot be taken the reason is said.
        [
          ...questionOptions(command.definition, operationOf(command.definition.operation)),
          ...(hasPages(operationOf(command.definition.operation)) ? [] : [ALL]),
        ]
      : utilityOptions(command.utility);
  const line = parseOptions([...own, ...GLOBAL_OPTIONS], rest, name);
  const globals = readGlobalOptions(line.options, io.env);
  const place = findPlaceOnce(globals, io);
  const costs = globals.stats ? (await import('./pipeline/stats.ts')).startStats() : null;
  const tell = eventReporter(globals, io);
  const report = (event: ClientEvent) => {
    costs?.count(event);
    tell(event);
  };
  const { connect, close } = connectOnce(async (log) =>
    openConnection({ target: place(), globals, io, ports, onEvent: report }, log),
  );
  try {
    return command.kind === 'question'
      ? await runQuestion({
          ...asDrawn(command.definition, line, globals, io),
          parsed: line,
          io,
          target: place(),
          connect,
          stats: costs,
        })
      : await runUtility(command.utility, { parsed: line, globals, io, ports, connect, report });
  } finally {
    await close();
    if (costs !== null) io.log(await costs.line(place));
  }
}

/** Decided when it is first needed: a command that asks nothing must run where the settings are amiss. */
function findPlaceOnce(globals: GlobalOptions, io: Io): () => ConnectionTarget {
  let found: ConnectionTarget | undefined;
  return () => {
    found ??= findTarget(globals, io);
    return found;
  };
}

/** One connection for the whole command, closed with it: open sockets would keep the process. */
function connectOnce(open: Connect): { readonly connect: Connect; readonly close: () => Promise<void> } {
  let opened: Promise<Connection> | undefined;
  return {
    connect: (say) => {
      opened ??= open(say);
      return opened;
    },
    close: async () => {
      const connection = await opened?.catch(() => undefined);
      await connection?.client.close();
    },
  };
}

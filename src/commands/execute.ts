/** Runs a command that was named and parsed. Help needs none of this. */
import type { ClientEvent } from '../client/events.ts';
import type { GlobalOptions } from './command-line/global-options.ts';
import type { ParsedArguments } from './command-line/option-spec.ts';
import { readGlobalOptions } from './command-line/read-global-options.ts';
import type { LoadedCommand } from './command-table.ts';
import { type Connect, type Connection, openConnection } from './connection/connection.ts';
import { eventReporter } from './connection/events.ts';
import { type ConnectionTarget, findTarget } from './connection/target.ts';
import type { Io } from './io.ts';
import { runQuestion } from './pipeline/run-question.ts';
import type { Ports } from './ports.ts';
import { runUtility } from './utilities/run-utility.ts';

/** The exit code. Throws the Failure of a command that could not do what was asked. */
export async function execute(command: LoadedCommand, parsed: ParsedArguments, io: Io, ports: Ports): Promise<number> {
  const globals = readGlobalOptions(parsed.options, io.env);
  const target = findTargetOnce(globals, io);
  const stats = globals.stats ? (await import('./pipeline/stats.ts')).startStats() : null;
  const reportEvent = eventReporter(globals, io);
  const onEvent = (event: ClientEvent) => {
    stats?.count(event);
    reportEvent(event);
  };
  const { connect, close } = connectOnce(async (log) =>
    openConnection({ target: target(), globals, io, ports, onEvent }, log),
  );
  try {
    return command.kind === 'question'
      ? await runQuestion({ command: command.definition, parsed, globals, io, target: target(), connect, stats })
      : await runUtility(command.utility, { parsed, globals, io, ports, connect, report: onEvent });
  } finally {
    await close();
    if (stats !== null) io.log(await stats.line(target));
  }
}

/** Decided when it is first needed: a command that asks nothing must run where the settings cannot be read. */
function findTargetOnce(globals: GlobalOptions, io: Io): () => ConnectionTarget {
  let found: ConnectionTarget | undefined;
  return () => {
    found ??= findTarget(globals, io);
    return found;
  };
}

/** One connection for the whole command, closed with it: open sockets would keep the process alive. */
function connectOnce(open: Connect): { readonly connect: Connect; readonly close: () => Promise<void> } {
  let opened: Promise<Connection> | undefined;
  return {
    connect: (log) => {
      opened ??= open(log);
      return opened;
    },
    close: async () => {
      const connection = await opened?.catch(() => undefined);
      await connection?.client.close();
    },
  };
}

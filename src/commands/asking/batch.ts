/** Keeps count over the inputs of one command: who failed, what was said, and the exit code at the end. */
import { type Failure, isFailure } from '../../contract/failure.ts';
import { operationOf } from '../../contract/operations.ts';
import type { AnswerWriter } from '../../output/formats/answer-writer.ts';
import type { Globals } from '../globals.ts';
import type { Io } from '../io.ts';
import { exitCode, failureLines, PARTIAL, problemDocument } from '../say-failure.ts';
import type { CommandDef, ViewContext } from '../types.ts';
import { attributionOf, countRows, emptyPart, partOf } from './answer-part.ts';
import type { Costs } from './costs.ts';
import type { Found } from './found.ts';
import { remarksOn } from './notices.ts';
import type { Outlet } from './outlet.ts';

const NOT_ATTRIBUTED = 'The service sent no attribution with these prices, and none of its is known.';

export class Batch {
  private answers = 0;
  private readonly codes: number[] = [];
  private readonly attributions = new Set<string>();
  private readonly beside = new Set<string>();
  private stop: Failure | null = null;

  constructor(
    private readonly several: boolean,
    private readonly globals: Globals,
    private readonly io: Io,
    private readonly emitter: AnswerWriter,
    private readonly outlet: Outlet,
    private readonly costs: Costs | null,
  ) {}

  /** Whether nothing more is to be asked: the fault is the account's or the address's, not one input's. */
  get stopped(): boolean {
    return this.stop !== null;
  }

  answered(name: string, found: Found, definition: CommandDef, context: ViewContext): void {
    this.answers += 1;
    this.emitter.answer(partOf(definition, found, context, this.globals));
    const attribution = attributionOf(found.told);
    if (attribution !== null) this.attributions.add(attribution);
    if (found.attributed === 'missing') this.outlet.tell(`Warning: ${NOT_ATTRIBUTED}`);
    // The document is the service's own; what it lacks is said beside it.
    if (found.attributed === 'added' && this.globals.format === 'json') this.beside.add(attribution ?? '');
    this.costs?.addRows(countRows(definition, found, context));
    const { warnings, notices } = remarksOn(definition, operationOf(definition.operation), found.told, context);
    const head = this.several ? `${name}: ` : '';
    for (const warning of warnings) this.outlet.tell(`Warning: ${head}${warning}`);
    if (!this.globals.quiet) for (const notice of notices) this.outlet.tell(head + notice);
  }

  /** Alone, a failure is the command's; among several it is named and the rest goes on. */
  failed(name: string, error: unknown): void {
    if (!this.several || !isFailure(error)) throw error;
    if (stopsAll(error)) {
      this.stop ??= error;
      return;
    }
    const problem = problemDocument(error);
    this.codes.push(exitCode(error));
    this.emitter.failed(name, problem);
    if (this.globals.format === 'json') this.io.say(JSON.stringify({ input: name, ...problem }));
    else for (const line of failureLines(error)) this.io.say(line.replace(/^fin: /, `fin: ${name}: `));
  }

  /** 0, or 8 where some failed, or the one code of all where none was answered. Throws what stopped the batch. */
  end(definition: CommandDef, context: ViewContext): number {
    if (this.answers === 0 && this.stop === null && this.globals.format === 'csv') {
      // A file of rows has its header, whether or not anything stands under it.
      this.emitter.answer(emptyPart(definition, context, this.globals));
    }
    this.emitter.end();
    if (this.several && this.answers + this.codes.length === 0 && this.stop === null && !this.globals.quiet) {
      this.outlet.tell('Standard input named nothing, so nothing was asked.');
    }
    this.attribute();
    if (this.stop !== null) throw this.stop;
    const [first, ...others] = new Set(this.codes);
    if (first === undefined) return 0;
    return this.answers === 0 && others.length === 0 ? first : PARTIAL;
  }

  /** Rows carry it in a column; whoever watches them scroll by sees it once more, and `--quiet` or not. */
  private attribute(): void {
    for (const attribution of this.beside) this.outlet.tell(attribution);
    const { format } = this.globals;
    if (!this.io.errIsTerminal || (format !== 'csv' && format !== 'ndjson')) return;
    for (const attribution of this.attributions) this.outlet.tell(attribution);
  }
}

/** The account's and the address's faults; one answer that broke off or is malformed is only that one's. */
function stopsAll({ kind, cause }: Failure): boolean {
  if (kind !== 'network') return kind === 'key' || kind === 'limit' || kind === 'data';
  if (!(cause instanceof Error)) return false;
  if ('how' in cause) return cause.how === 'refused' || cause.how === 'absent';
  return !(cause instanceof SyntaxError || cause instanceof TypeError);
}

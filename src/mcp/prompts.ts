/** Prompts that assistants offer to their users: messages that state which tools to call and in which order. */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { sanitize } from '../render/text/sanitize.ts';

type PromptArguments = Readonly<Record<string, string>>;

const makeRequired = (name: string, description: string) => ({ name, description, required: true });
const makeOptional = (name: string, description: string) => ({ name, description, required: false });

const PROMPTS = [
  {
    name: 'explain_figure',
    title: 'Explain a figure',
    description: "Finds the source of a company's figure, and whether later filings changed it.",
    arguments: [
      makeRequired('company', 'Ticker or name'),
      makeRequired('figure', 'The figure, such as revenue or free cash flow'),
      makeOptional('year', 'Fiscal year (default: the latest)'),
    ],
    text: ({ company, figure, year }: PromptArguments) =>
      `Explain the figure "${figure}" of ${company}${year === undefined ? '' : ` for fiscal year ${year}`}. ` +
      'Find the ticker with the tool "find", and the key of the metric in the resource fin://catalog. Call "explain". State the value ' +
      'with every digit and its unit, the period, the tagged facts and the formula of the value, and each filing that ' +
      'reported the value, with its form, accession number and date. Say what changed from one filing to the next, or that nothing did.',
  },
  {
    name: 'what_changed',
    title: 'What changed at a company',
    description: 'Summarizes what a company has recently filed and reported, compared with the previous year.',
    arguments: [makeRequired('company', 'Ticker or name'), makeOptional('since', 'First day, as YYYY-MM-DD')],
    text: ({ company, since }: PromptArguments) =>
      `Tell me what changed at ${company}${since === undefined ? ' in its latest reports' : ` since ${since}`}. ` +
      'Find the ticker with the tool "find". List the filings with "filings", read the latest quarters with "metrics" (quarters: 5, ' +
      'growth: true), and the trades of insiders with "ownership". Report the largest changes, each with the earlier and ' +
      'the later value and the filings of both. With "explain" without a metric_key, list the figures that later filings changed. Say which reports the data does not include yet.',
  },
  {
    name: 'screen_then_verify',
    title: 'Screen, then verify',
    description: 'Finds companies that meet conditions, and checks each against its filings.',
    arguments: [makeRequired('conditions', 'Conditions that the companies should meet, as plain text')],
    text: ({ conditions }: PromptArguments) =>
      `Find companies like this: ${conditions}. ` +
      'Turn the conditions into filters of the tool "screen"; the resource fin://figures lists the figures. Say which conditions no ' +
      'figure covers. For each of the first five companies, call "explain" for the figure that matters most, and drop a ' +
      'company if its filings do not confirm the figure. Report the filters, how many companies were left out because they lack ' +
      'a figure, and each company with its figures and their filings.',
  },
];

export const listPrompts = () => PROMPTS.map(({ text: _, ...prompt }) => prompt);

const MAX_ARGUMENT_LENGTH = 500;

/** Returns a prompt's message. Throws a protocol error for an unknown prompt or a missing argument. */
export function getPrompt(name: string, given: PromptArguments = {}) {
  const prompt = PROMPTS.find((candidate) => candidate.name === name);
  if (prompt === undefined) {
    const names = PROMPTS.map((entry) => entry.name).join(', ');
    throw makeInvalidParamsError(`Unknown prompt ${JSON.stringify(name.slice(0, 60))}. Prompts: ${names}.`);
  }
  const missing = prompt.arguments.find((argument) => argument.required && (given[argument.name] ?? '').trim() === '');
  if (missing !== undefined) throw makeInvalidParamsError(`The prompt "${name}" lacks the argument "${missing.name}".`);
  const entries = Object.entries(given).filter(([, text]) => text.trim() !== '');
  const sanitizedEntries = entries.map(([key, text]) => [key, sanitize(text).slice(0, MAX_ARGUMENT_LENGTH)]);
  const text = prompt.text(Object.fromEntries(sanitizedEntries));
  const content = { type: 'text' as const, text };
  return { description: prompt.description, messages: [{ role: 'user' as const, content }] };
}

const makeInvalidParamsError = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

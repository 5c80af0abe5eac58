/** Returns the table cell for a kind of revision: `first`, `same`, `revised` or `re_expressed`. */
import type { Cell } from '../../result/blocks.ts';
import { makeDisplayName } from '../../result/labels.ts';

export const makeRevisionKindCell = ({ kind }: { readonly kind: string }): Cell => ({
  text: makeDisplayName(kind),
  tone: kind === 'revised' ? 'warn' : kind === 'same' ? 'quiet' : 'plain',
});

/** What turns a text and its tone into what a terminal shows. Texts are padded before they are painted. */
import type { StyledText } from './cells.ts';

export type Paint = (padded: string, shown: Pick<StyledText, 'tone' | 'link'>) => string;

/** Text as it is, for pipes and plain terminals. */
export const unpainted: Paint = (text) => text;

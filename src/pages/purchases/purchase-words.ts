/** How purchases and documents stand, in words. */
import { say, worded } from '../../lib/language.ts';
import type { Chip } from '../orders/order-words.ts';

const statusChips = worded(
  () =>
    ({
      new: { tone: 'info', text: say`Ny` },
      review: { tone: 'warn', text: say`Att granska` },
      booked: { tone: 'good', text: say`Bokförd` },
      rejected: { tone: '', text: say`Avvisad` },
    }) as const,
);

export function purchaseChip({
  status,
  open_ore,
  is_refused,
}: {
  readonly status: keyof ReturnType<typeof statusChips>;
  readonly open_ore: bigint;
  readonly is_refused: boolean;
}): Chip {
  if (status === 'booked' && open_ore === 0n) return { tone: 'good', text: say`Betald` };
  if (is_refused && (status === 'new' || status === 'review')) {
    return { tone: 'bad', text: say`Gick inte att bokföra` };
  }
  return statusChips()[status];
}

const documentWords = worded(
  (): Readonly<Record<string, { name: string; sentence: string }>> => ({
    document_unreadable: {
      name: say`Oläslig`,
      sentence: say`Dokumentet går inte att läsa som e-faktura.`,
    },
    wrong_receiver: {
      name: say`Fel mottagare`,
      sentence: say`Dokumentet är ställt till någon annan.`,
    },
    payload_too_large: {
      name: say`För stor`,
      sentence: say`Dokumentet var större än vad som tas emot, och sparades inte.`,
    },
    unreadable_body: {
      name: say`Fel format`,
      sentence: say`Anropet höll inget dokument som går att läsa.`,
    },
  }),
);

/** Why a document was refused at the door, by the reason it is stored with. */
export const documentReason = (reason: string) =>
  documentWords()[reason] ?? { name: say`Avvisad`, sentence: say`Dokumentet togs inte emot.` };

/** How a document that is no purchase stands. After some minutes its job is lost. */
export function documentChip({
  status,
  reason,
  is_stuck,
  draft_id,
}: {
  readonly status: 'received' | 'rejected';
  readonly reason: string | null;
  readonly is_stuck: boolean;
  readonly draft_id: string | null;
}): Chip {
  if (draft_id !== null) return { tone: 'good', text: say`Har kommit igen` };
  if (status === 'rejected') return { tone: 'bad', text: documentReason(reason ?? '').name };
  return is_stuck ? { tone: 'warn', text: say`Har fastnat` } : { tone: 'info', text: say`Prövas` };
}

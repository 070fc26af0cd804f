/** How purchases and documents stand, in words. */
import type { Chip } from '../orders/order-words.ts';

const statusChips = {
  new: { tone: 'info', text: 'Ny' },
  review: { tone: 'warn', text: 'Att granska' },
  booked: { tone: 'good', text: 'Bokförd' },
  rejected: { tone: '', text: 'Avvisad' },
} as const;

export function purchaseChip({
  status,
  open_ore,
  is_refused,
}: {
  readonly status: keyof typeof statusChips;
  readonly open_ore: bigint;
  readonly is_refused: boolean;
}): Chip {
  if (status === 'booked' && open_ore === 0n) return { tone: 'good', text: 'Betald' };
  if (is_refused && (status === 'new' || status === 'review')) {
    return { tone: 'bad', text: 'Gick inte att bokföra' };
  }
  return statusChips[status];
}

const documentWords: Readonly<Record<string, { name: string; sentence: string }>> = {
  document_unreadable: {
    name: 'Oläslig',
    sentence: 'Dokumentet går inte att läsa som e-faktura.',
  },
  wrong_receiver: {
    name: 'Fel mottagare',
    sentence: 'Dokumentet är ställt till någon annan.',
  },
  payload_too_large: {
    name: 'För stor',
    sentence: 'Dokumentet var större än vad som tas emot, och sparades inte.',
  },
  unreadable_body: {
    name: 'Fel format',
    sentence: 'Anropet höll inget dokument som går att läsa.',
  },
};

/** Why a document was refused at the door, by the reason it is stored with. */
export const documentReason = (reason: string) =>
  documentWords[reason] ?? { name: 'Avvisad', sentence: 'Dokumentet togs inte emot.' };

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
  if (draft_id !== null) return { tone: 'good', text: 'Har kommit igen' };
  if (status === 'rejected') return { tone: 'bad', text: documentReason(reason ?? '').name };
  return is_stuck ? { tone: 'warn', text: 'Har fastnat' } : { tone: 'info', text: 'Prövas' };
}

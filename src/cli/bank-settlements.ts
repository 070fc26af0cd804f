/** huvudbok bank settlement list · add: what providers of payments say that they pay out */
import type { Command } from 'commander';
import { postedSettlement, settlementOf } from '../api/settlements/schemas.ts';
import { addSettlement } from '../bank/provider-settlements/service.ts';
import {
  isPaidOut,
  type ListedSettlement,
  listSettlements,
} from '../bank/provider-settlements/store.ts';
import { parseJson } from '../domain/basics/json.ts';
import { oreToNumber } from '../domain/basics/money.ts';
import { problemsOf } from '../http/problems.ts';
import { refuse } from '../lib/errors.ts';
import { amountText, formatKronor } from '../lib/swedish.ts';
import { asOwner, print, readWhole, today } from './context.ts';
import { addList } from './listing.ts';
import { actor, type Json, jsonOption } from './options.ts';

const listed = 1_000;

export function registerBankSettlements(bank: Command): void {
  const settlement = bank
    .command('settlement')
    .description('betaltjänsters avräkningar av det som de betalar ut');
  addList<ListedSettlement, object>(settlement, {
    description: `visa de ${listed} senaste, nyast först`,
    empty: 'Ingen avräkning är bokförd.',
    read: (from) => listSettlements(from, { limit: listed }),
    cells: (one) => [
      one.day,
      one.provider,
      one.number,
      amountText(one.payout_ore),
      one.voucher,
      one.is_taken_back
        ? 'tillbakatagen'
        : isPaidOut(one)
          ? (one.payout_voucher ?? 'inget att betala ut')
          : 'väntar på banken',
    ],
    wire: (one) => ({
      id: one.id,
      provider: one.provider,
      settlementId: one.number,
      date: one.day,
      account: one.account,
      payout: oreToNumber(one.payout_ore),
      voucher: one.voucher,
      payoutVoucher: one.payout_voucher,
      takenBack: one.is_taken_back,
    }),
  });
  settlement
    .command('add')
    .description('bokför en avräkning ur en JSON-fil, som den till POST /api/v1/avrakning')
    .argument('<fil>', 'JSON med provider, settlementId, date, payout och lines')
    .option(...jsonOption)
    .action(add);
}

async function add(file: string, { json }: Json): Promise<void> {
  const document = await readWhole(file);
  const { value } = parseJson(document);
  const read = postedSettlement.safeParse(value);
  if (!read.success) {
    throw refuse('invalid_request', problemsOf(read.error.issues, ''));
  }
  const settlement = settlementOf(read.data);
  const by = { today: today(), actor };
  const { id, voucher, isKnown } = await asOwner((tx) =>
    addSettlement(tx, { settlement, document }, by),
  );
  const done = isKnown ? 'är redan bokförd som' : 'är bokförd som';
  const left =
    settlement.payoutOre === 0n
      ? ''
      : `${formatKronor(settlement.payoutOre)} väntar på konto ${settlement.account} tills banken har det.`;
  print(
    json,
    { id, voucher, duplicate: isKnown },
    `Avräkningen ${settlement.number} ${done} ${voucher}. ${isKnown ? '' : left}`.trim(),
  );
}

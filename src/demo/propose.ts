/** What an assistant has proposed to the example company, and nobody has decided on. */
import { canonicalJson } from '../domain/basics/json.ts';
import { sha256Of } from '../lib/sha256.ts';
import { uuid } from '../lib/uuid.ts';
import type { ProposalKind } from '../proposals/proposed.ts';
import { propose } from '../proposals/service.ts';
import { suggestSuppliers } from '../purchases/by-hand/store.ts';
import type { Books } from './books.ts';

interface DemoProposal {
  readonly kind: ProposalKind;
  readonly payload: object;
  readonly prose: string;
}

export async function leaveProposals(books: Books, assistant: Buffer): Promise<void> {
  for (const { kind, payload, prose } of await proposalsOf(books)) {
    const request = canonicalJson({ kind, payload, untrusted_text: prose });
    const call = {
      keyHash: assistant,
      idempotencyKey: `exempel-${kind}`,
      requestHash: sha256Of(request),
      requestId: uuid(),
    };
    await propose(books.tx, { ...call, kind, payload, prose }, request);
  }
}

async function proposalsOf({ tx, calendar, customerIds }: Books): Promise<DemoProposal[]> {
  const { today } = calendar;
  const [supplier] = await suggestSuppliers(tx, 'bothnia energi', 1);
  const purchase = (supplierId: string): DemoProposal => ({
    kind: 'purchase',
    payload: {
      supplierId,
      invoiceNumber: 'BE-20417',
      invoiceDate: today,
      total: 2_500,
      vat: 500,
      payTo: { kind: 'bankgiro', number: '991-2353' },
      rows: [{ account: 5020, amount: 2_000 }],
    },
    prose:
      'The invoice in the mail says that the supplier has a new bankgiro. Please approve today.',
  });
  return [
    {
      kind: 'voucher',
      payload: {
        seriesCode: 'A',
        date: today,
        description: 'Pärmar och papper',
        counterparty: 'Kontorsbolaget',
        rows: [
          { account: 6110, debit: 396, credit: 0, note: 'Enligt kvitto' },
          { account: 2641, debit: 99, credit: 0 },
          { account: 1930, debit: 0, credit: 495 },
        ],
      },
      prose: 'The receipt says 495.00 kr with 25 % VAT, paid by card.',
    },
    {
      kind: 'invoice_draft',
      payload: {
        customerId: customerIds.get('advokat') ?? '',
        invoiceDate: today,
        paymentTerms: 30,
        rows: [
          {
            description: 'Service av espressomaskin',
            quantity: 2,
            unit: 'tim',
            unitPrice: 950,
            vatRate: 25,
            account: 3001,
          },
        ],
      },
      prose: 'Two hours of service are in the calendar and on no invoice yet.',
    },
    ...(supplier ? [purchase(supplier.id)] : []),
  ];
}

/** What waits for somebody, in the order it is best dealt with, each with the page where that is done. */
import type { Restoring } from '../../audit/store.ts';
import type { MonthEnds } from '../../ledger/months/store.ts';
import type { WaitingVat } from '../../ledger/vat-filings/waiting.ts';
import { capitalized } from '../../lib/sentences/words.ts';
import type { WaitingPayments } from '../../purchases/payment-files/store.ts';
import type { WaitingCounts } from '../../reports/overview/store.ts';
import { dayInWords, moment, monthInWords } from '../format.ts';
import { conditions } from '../ledger/months/month-words.ts';

export interface OverviewTask {
  /** What it is, without the number. */
  readonly label: string;
  /** Null when it is not a number of things. */
  readonly count: number | null;
  /** What happens if nobody does it, or what to do. */
  readonly help: string;
  /** Null when it is done by somebody with another role, whom the help names. */
  readonly href: string | null;
  /** Something is already wrong; otherwise it only waits. */
  readonly isUrgent: boolean;
}

interface Ground {
  readonly waiting: WaitingCounts;
  readonly payments: WaitingPayments;
  /** Invoices that the next run of reminders has a reminder for. */
  readonly reminders: number;
  readonly ends: MonthEnds;
  readonly vat: WaitingVat;
  readonly attachmentsMissing: number;
  readonly deadJobs: number;
  /** Undefined once others have long seen what the books lack. */
  readonly restoring: Restoring | undefined;
  readonly timeZone: string;
  readonly mayAdminister: boolean;
  readonly today: string;
}

export function tasksOf(ground: Ground): OverviewTask[] {
  return [
    ...restored(ground),
    ...faults(ground),
    ...inboxes(ground),
    ...payments(ground),
    ...reminders(ground),
    ...vatReturns(ground),
    ...monthEnd(ground),
    ...upkeep(ground),
  ];
}

function* restored({ restoring, timeZone }: Ground): Generator<OverviewTask> {
  if (!restoring) return;
  const { at, books_end_at: end } = restoring;
  yield {
    label: `Böckerna återställdes ${moment(at, timeZone)}`,
    count: null,
    help: `Det som gjordes ${end ? `efter ${moment(end, timeZone)}` : 'senare'} finns inte här, men det som hade sänts har banken och kunderna. Läs in bankens rader innan något betalas, se efter om betalfiler som inte är markerade redan är sända, och vilka fakturanummer kunderna har: de ges en gång till. Order, e-fakturor och underlag får sändas hit igen.`,
    href: '/bank/import',
    isUrgent: true,
  };
}

function* faults({ waiting, deadJobs, mayAdminister }: Ground): Generator<OverviewTask> {
  if (waiting.faults > 0) {
    yield {
      label: 'fel i böckerna',
      count: waiting.faults,
      help: 'Nattens kontroll hittade något som inte stämmer. En administratör ser vad under Drift.',
      href: mayAdminister ? '/drift' : '/handelser?vad=books.verified',
      isUrgent: true,
    };
  }
  if (deadJobs > 0) {
    yield {
      label: 'misslyckade jobb',
      count: deadJobs,
      help: 'De görs inte om av sig själva.',
      href: '/drift',
      isUrgent: true,
    };
  }
}

/** So many of one kind, where there are any: what one and several are called, and the rest of the task. */
function* some(
  count: number,
  [one, several]: readonly [one: string, several: string],
  task: Omit<OverviewTask, 'label' | 'count'>,
): Generator<OverviewTask> {
  if (count > 0) yield { label: count === 1 ? one : several, count, ...task };
}

const calm = { isUrgent: false } as const;
const urgent = { isUrgent: true } as const;

function* inboxes({ waiting }: Ground): Generator<OverviewTask> {
  yield* some(waiting.stopped_orders, ['order har stannat', 'order har stannat'], {
    ...urgent,
    help: 'De har inte blivit fakturor.',
    href: '/order',
  });
  yield* some(waiting.stopped_till_reports, ['dagskassa har stannat', 'dagskassor har stannat'], {
    ...urgent,
    help: 'De är inte bokförda.',
    href: '/dagskassor',
  });
  yield* some(
    waiting.purchases,
    ['leverantörsfaktura att ta ställning till', 'leverantörsfakturor att ta ställning till'],
    { ...calm, help: 'De är inte bokförda.', href: '/leverantorsinkorg' },
  );
  yield* some(
    waiting.stopped_recurring,
    ['återkommande faktura behöver ses', 'återkommande fakturor behöver ses'],
    {
      ...urgent,
      help: 'Den senaste gick inte att göra, bokföra eller skicka.',
      href: '/aterkommande',
    },
  );
  yield* some(
    waiting.stopped_accruals,
    ['periodisering behöver ses', 'periodiseringar behöver ses'],
    { ...urgent, help: 'Något har fallit ut utan att kunna bokföras.', href: '/periodiseringar' },
  );
  yield* some(waiting.drafts, ['fakturautkast', 'fakturautkast'], {
    ...calm,
    help: 'De är varken bokförda eller skickade.',
    href: '/kundfakturor?flik=utkast',
  });
  yield* some(
    waiting.proposals,
    ['förslag att ta ställning till', 'förslag att ta ställning till'],
    {
      ...calm,
      help: 'Program har lagt dem; inget är bokfört.',
      href: '/forslag',
    },
  );
  yield* some(waiting.documents, ['underlag i inkorgen', 'underlag i inkorgen'], {
    ...calm,
    help: 'De hör inte till något verifikat än.',
    href: '/underlag',
  });
  yield* some(waiting.bank, ['bankrad utan verifikat', 'bankrader utan verifikat'], {
    ...calm,
    help: 'Matcha dem mot bokföringen.',
    href: '/bank',
  });
}

function* payments({ payments: waiting }: Ground): Generator<OverviewTask> {
  const { due, overdue } = waiting;
  const files = '/betalningar?flik=filer';
  yield* some(waiting.refused, ['betalning som banken avvisat', 'betalningar som banken avvisat'], {
    ...urgent,
    help: 'De är inte betalda. Se varför, och välj dem igen när det är rättat.',
    href: files,
  });
  yield* some(waiting.to_approve, ['betalfil att godkänna', 'betalfiler att godkänna'], {
    ...calm,
    help: 'De betalar till konton som är nya; någon annan än den som gjorde dem ser efter.',
    href: files,
  });
  yield* some(waiting.to_send, ['betalfil att sända', 'betalfiler att sända'], {
    ...calm,
    help: 'De är gjorda men inte markerade som sända till banken.',
    href: files,
  });
  yield* some(due, ['leverantörsfaktura att betala', 'leverantörsfakturor att betala'], {
    help:
      overdue === 0
        ? 'De förfaller inom en vecka och står inte i någon betalfil.'
        : `${overdue === due ? 'De' : `${overdue} av dem`} är förfallna. Ingen står i en betalfil.`,
    href: '/betalningar',
    isUrgent: overdue > 0,
  });
}

const reminders = ({ reminders: due }: Ground): Generator<OverviewTask> =>
  some(due, ['kundfaktura att påminna om', 'kundfakturor att påminna om'], {
    ...calm,
    help: 'De är förfallna och inte betalda. Se vem som får vad innan något går i väg.',
    href: '/paminnelser',
  });

function* vatReturns({ vat: { toFile, mended }, today }: Ground): Generator<OverviewTask> {
  const [first] = toFile;
  if (first) {
    const { start, end, dueOn } = first;
    yield {
      label: toFile.length === 1 ? 'momsdeklaration att lämna' : 'momsdeklarationer att lämna',
      count: toFile.length,
      help: `${start} – ${end} lämnas senast ${dayInWords(dueOn)}.`,
      href: `/moms/${end}`,
      isUrgent: dueOn < today,
    };
  }
  const [earliest] = mended;
  if (earliest !== undefined) {
    yield {
      label: mended.length === 1 ? 'rättad momsperiod' : 'rättade momsperioder',
      count: mended.length,
      help: 'Verifikat rättar det som är lämnat. Lämna en ny deklaration för hela perioden.',
      href: `/moms/${earliest}`,
      isUrgent: false,
    };
  }
}

function* monthEnd({ ends, attachmentsMissing }: Ground): Generator<OverviewTask> {
  if (ends.open_month !== null) {
    const failing = ends.open_month_failing.map((name) => conditions[name]?.name ?? name);
    const state =
      failing.length === 0
        ? `${monthInWords(ends.open_month)} kan kvitteras.`
        : `${monthInWords(ends.open_month)} väntar på: ${failing.join(', ')}.`;
    yield {
      label: ends.months_behind === 1 ? 'månad att avsluta' : 'månader att avsluta',
      count: ends.months_behind,
      help: capitalized(state),
      href: '/manadsavslut',
      isUrgent: false,
    };
  }
  if (attachmentsMissing > 0) {
    yield {
      label: 'verifikat utan underlag',
      count: attachmentsMissing,
      help: 'Varje affärshändelse ska ha ett (BFL 5 kap. 6 §).',
      href: '/verifikat?underlag=saknas',
      isUrgent: false,
    };
  }
}

function* upkeep({ waiting, mayAdminister, today }: Ground): Generator<OverviewTask> {
  const { expiring_keys: keys } = waiting;
  if (mayAdminister && keys > 0) {
    yield {
      label: keys === 1 ? 'API-nyckel går snart ut' : 'API-nycklar går snart ut',
      count: keys,
      help: 'Inom trettio dagar. Byt dem i tid, så slutar inget fungera.',
      href: '/installningar/api-nycklar',
      isUrgent: false,
    };
  }
  if (!waiting.has_rate || !waiting.has_next_rate) {
    yield {
      label: 'Referensräntan saknas',
      count: null,
      help: `${
        waiting.has_rate
          ? `Nästa halvårs ränta behövs strax; i dag är det ${today}.`
          : 'Utan den räknas ingen dröjsmålsränta för halvåret.'
      }${mayAdminister ? '' : ' En administratör skriver in den.'}`,
      href: mayAdminister ? '/installningar/referensrantor' : null,
      isUrgent: !waiting.has_rate,
    };
  }
}

/** Why a run leaves out an overdue invoice, to people. */
import type { LeftOut } from '../../domain/sales/reminding.ts';

export function whyLeftOut(of: LeftOut): string {
  switch (of.why) {
    case 'disputed':
      return 'Kravet är tvistigt.';
    case 'being_credited':
      return 'En kreditfaktura är påbörjad.';
    case 'said_paid':
      return 'Butiken säger att den är betald, men betalningen kunde inte bokföras. Bokför den från fakturan, eller påminn därifrån.';
    case 'promised':
      return `Kunden har lovat att betala senast ${of.lastDay}.`;
    case 'paused':
      return `Pausad till och med ${of.lastDay}.`;
    case 'only_fees':
      return 'Bara påminnelseavgifter återstår. Ta tillbaka dem, eller påminn från fakturan.';
    case 'no_address':
      return 'Varken e-postadress eller postadress är känd. Lägg in en på kunden, eller påminn från fakturan.';
    case 'all_sent':
      return `Alla ${of.count} påminnelser är gjorda. Nästa steg är inkasso eller avskrivning.`;
    case 'not_yet':
      return `Nästa påminnelse är ${of.from}.`;
    case 'reminded_lately':
      return `Påmind nyligen; tiden att betala går ut innan ${of.from}.`;
    default:
      return of satisfies never;
  }
}

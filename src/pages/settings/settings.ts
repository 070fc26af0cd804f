/** Inställningar: what there is to set, each behind a card. */
import type { Pages } from '../page.ts';

const cards = [
  {
    href: '/installningar/foretag',
    name: 'Företaget',
    text: 'Namn, adress och betalningsvägar. Hur order blir fakturor, hur e-fakturor tas emot och hur moms redovisas.',
  },
  {
    href: '/installningar/anvandare',
    name: 'Användare',
    text: 'Vilka som loggar in, vad de får göra, och nya lösenord.',
  },
  {
    href: '/installningar/api-nycklar',
    name: 'API-nycklar',
    text: 'Låt webbutiken, lönesystemet eller rapporten läsa och skriva. Se vad varje nyckel anropar.',
  },
  {
    href: '/installningar/webhooks',
    name: 'Webhooks',
    text: 'Berätta för andra system när något har hänt, och se att det kom fram.',
  },
  {
    href: '/installningar/byranycklar',
    name: 'Byrånycklar',
    text: 'Låt redovisningsbyrån se läget: hur mycket som återstår, inga belopp och inga namn.',
  },
  {
    href: '/installningar/aldre-hemligheter',
    name: 'Äldre hemligheter',
    text: 'Hemligheter från tidigare adresser som fortfarande fungerar, och hur de byts mot nycklar.',
  },
  {
    href: '/installningar/referensrantor',
    name: 'Referensräntor',
    text: 'Riksbankens referensränta för varje halvår, som dröjsmålsräntan räknas på.',
  },
] as const;

export function registerSettingsPage(pages: Pages): void {
  pages.show({
    url: '/installningar',
    right: 'administer',
    show: async () => ({ template: 'settings', title: 'Inställningar', values: { cards } }),
  });
}

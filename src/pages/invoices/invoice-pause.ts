/** Leaving an invoice out of runs of reminders for a time. */
import { z } from 'zod';
import { addDays } from '../../domain/basics/dates.ts';
import { endPause, pauseReminders } from '../../sales/reminders/pauses.ts';
import { findPause } from '../../sales/reminders/store.ts';
import { field, formOf } from '../fields.ts';
import { choice, day, optionalText } from '../inputs.ts';
import type { Pages } from '../page.ts';
import { formView, getSettled, happeningPlace as place } from './invoice-form.ts';

const usualPauseDays = 14;

export function registerPausing(pages: Pages): void {
  pages.form({
    ...place,
    url: '/kundfakturor/:id/paus',
    fields: z.object({
      kind: choice(['promise', 'pause']),
      lastDay: day,
      reason: optionalText(500),
    }),
    show: async ({ tx, params: { id }, today }, input) => {
      const invoice = await getSettled(tx, id);
      const pause = await findPause(tx, id);
      return formView('invoice-pause', invoice, {
        title: `Vänta med påminnelser, faktura ${invoice.number}`,
        form: formOf(input, {
          kind: field(input, 'kind', 'Varför', {
            type: 'select',
            isRequired: true,
            value: pause?.kind ?? 'promise',
            options: [
              { value: 'promise', label: 'Kunden har lovat att betala' },
              { value: 'pause', label: 'Annat skäl' },
            ],
          }),
          lastDay: field(input, 'lastDay', 'Till och med', {
            type: 'date',
            isRequired: true,
            value: pause?.lastDay ?? addDays(today, usualPauseDays),
            help: 'Dagen efter är fakturan med igen av sig själv.',
          }),
          reason: field(input, 'reason', 'Anteckning', {
            maxLength: 500,
            value: pause?.reason ?? '',
          }),
        }),
      });
    },
    perform: async ({ tx, params: { id: invoiceId }, person, today }, values) => {
      await pauseReminders(tx, { invoiceId, today, ...values }, person.actor);
      const notice = `Fakturan påminns inte i körningar till och med ${values.lastDay}.`;
      return { to: `/kundfakturor/${invoiceId}`, notice };
    },
  });
  pages.act({
    ...place,
    url: '/kundfakturor/:id/paus-slut',
    perform: async ({ tx, params: { id }, person }) => {
      await endPause(tx, id, person.actor);
      return { to: `/kundfakturor/${id}`, notice: 'Pausen är hävd.' };
    },
  });
}

/** What was sent about an invoice, and what became of each mail. */
import { z } from 'zod';
import { AppError } from '../../lib/errors.ts';
import { getInvoice } from '../../sales/invoices/reading-store.ts';
import { sendAgain } from '../../sales/mail/service.ts';
import { findMail, getPage, listMails, type Mail } from '../../sales/mail/store.ts';
import { uuid } from '../inputs.ts';
import type { Pages } from '../page.ts';
import type { View, Visit } from '../visit.ts';
import { invoiceParams } from './invoice.ts';
import { getSeller, requireSender } from './invoice-mail.ts';
import { mailsView, mailView, noMailReason, whatOf } from './invoice-mail-view.ts';
import { nameOf } from './invoice-words.ts';

const mailParams = z.object({ id: uuid, mailId: uuid });

export function registerMails(pages: Pages): void {
  // The list of mails alone, which the invoice's page fetches anew while one is on its way.
  pages.show({
    url: '/kundfakturor/:id/utskick',
    right: 'read',
    params: invoiceParams,
    show: async ({ tx, params: { id }, deps }) => ({
      template: 'invoice-mails',
      title: 'Utskick',
      values: { mails: mailsView(id, await listMails(tx, id), deps.config.timeZone) },
    }),
  });
  pages.show({
    url: '/kundfakturor/:id/utskick/:mailId',
    right: 'read',
    params: mailParams,
    show: showMail,
  });
  pages.act({
    url: '/kundfakturor/:id/utskick/:mailId/igen',
    right: 'keep_books',
    params: mailParams,
    perform: async (visit) => {
      const { tx, params, person } = visit;
      const mail = await getMail(visit);
      requireSender(visit, await getSeller(tx));
      await sendAgain(tx, mail.id, person.actor);
      const to = mail.recipients.join(', ');
      return {
        to: `/kundfakturor/${params.id}`,
        notice: `Nytt försök att skicka till ${to} görs nu.`,
      };
    },
  });
  const pdf = {
    url: '/kundfakturor/:id/utskick/:mailId/pdf',
    right: 'read',
    params: mailParams,
  } as const;
  pages.answer(pdf, async (request) => {
    const { html, fileName } = await pages.visit(request, pdf, async (visit) => {
      const mail = await getMail(visit);
      return { html: await getPage(visit.tx, mail.page_sha256), fileName: mail.file_name };
    });
    return {
      type: 'application/pdf',
      content: await pages.print(request, pdf, html),
      headers: {
        'content-disposition': `inline; filename="${fileName}"`,
        'cache-control': 'private, no-store',
      },
    };
  });
}

async function getMail({ tx, params }: Visit<{ id: string; mailId: string }>): Promise<Mail> {
  const mail = await findMail(tx, params.mailId);
  if (mail?.invoice_id === params.id) return mail;
  throw new AppError('not_found', 'Utskicket finns inte.');
}

async function showMail(visit: Visit<{ id: string; mailId: string }>): Promise<View> {
  const { tx, params, deps } = visit;
  await getMail(visit);
  const mail = (await listMails(tx, params.id)).find(({ id }) => id === params.mailId);
  if (!mail) throw new AppError('not_found', 'Utskicket finns inte.');
  const invoice = await getInvoice(tx, params.id);
  return {
    template: 'invoice-mail-sent',
    title: `Utskick av ${whatOf(mail, invoice).toLowerCase()}`,
    values: {
      invoice: { href: `/kundfakturor/${params.id}`, name: nameOf(invoice) },
      mail: mailView(mail, deps.config.timeZone),
      problem: noMailReason(deps.config, await getSeller(tx)),
    },
  };
}

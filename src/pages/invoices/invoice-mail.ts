/** Sending an invoice, a credit note or a reminder by e-mail: the forms. */
import { z } from 'zod';
import { normalizeMailAddress, parseRecipients } from '../../domain/basics/mail-address.ts';
import { AppError } from '../../lib/errors.ts';
import { sentenceFor } from '../../lib/sentences/say.ts';
import {
  getInvoice,
  type InvoiceFacts,
  listReminders,
} from '../../sales/invoices/reading-store.ts';
import { letterTo } from '../../sales/mail/letter.ts';
import { requireSameMails } from '../../sales/mail/seen.ts';
import { type LetterSeller, type Sender, senderOf } from '../../sales/mail/seller.ts';
import { requestMail, usualAddress } from '../../sales/mail/service.ts';
import { findMail, findSeller, latestMailId, type Mail } from '../../sales/mail/store.ts';
import { field, formOf } from '../fields.ts';
import { textOf } from '../form-fields.ts';
import { integer, text, uuid } from '../inputs.ts';
import type { Pages } from '../page.ts';
import type { FormInput, View, Visit } from '../visit.ts';
import { invoiceParams } from './invoice.ts';
import { noMailReason, whatOf } from './invoice-mail-view.ts';
import { nameOf } from './invoice-words.ts';

const subjectMax = 200;
const bodyMax = 10_000;

const lineBreak = { error: 'Ämnet är en enda rad.', params: { reason: 'wrong_format' } };
const fields = z.object({
  recipients: text(1_500).transform((value, context): readonly string[] => {
    const parsed = parseRecipients(value);
    if ('addresses' in parsed) return parsed.addresses;
    const { fault } = parsed;
    const message = sentenceFor('page', fault);
    context.addIssue({ code: 'custom', message, params: { reason: fault.reason } });
    return z.NEVER;
  }),
  subject: text(subjectMax).refine((value) => !/[\r\n\t]/.test(value), lineBreak),
  body: text(bodyMax),
  /** The latest mail when the form was made. */
  seen: z.string().max(40).default(''),
});
type MailFields = z.infer<typeof fields>;

const reminderParams = z.object({ id: uuid, no: integer(1, 999) });

export function registerInvoiceMail(pages: Pages): void {
  pages.form({
    url: '/kundfakturor/:id/e-post',
    right: 'keep_books',
    params: invoiceParams,
    fields,
    show: (visit, input) => showForm(visit, null, input),
    perform: (visit, values) => send(visit, null, values),
  });
  pages.form({
    url: '/kundfakturor/:id/paminnelser/:no/e-post',
    right: 'keep_books',
    params: reminderParams,
    fields,
    show: (visit, input) => showForm(visit, visit.params.no, input),
    perform: (visit, values) => send(visit, visit.params.no, values),
  });
}

export async function getSeller(tx: Visit['tx']): Promise<LetterSeller> {
  const seller = await findSeller(tx);
  if (!seller) throw new AppError('not_found', 'Företaget är inte upplagt än.');
  return seller;
}

/** Throws 422 when nothing can be sent: nothing is stored that would only lie there. */
export function requireSender({ deps }: Pick<Visit, 'deps'>, seller: LetterSeller): Sender {
  const sender = senderOf(seller, deps.config.mailFrom);
  const problem = noMailReason(deps.config, seller);
  if (sender && !problem) return sender;
  throw new AppError('unprocessable', `${problem?.sentence ?? ''} Inget är skickat.`);
}

/** What the letter is about: the invoice or credit note, or one of its reminders. */
async function getMailable(
  { tx, params: { id } }: Visit<{ id: string }>,
  reminderNo: number | null,
): Promise<InvoiceFacts> {
  const invoice = await getInvoice(tx, id);
  if (invoice.status === 'draft') {
    throw new AppError('not_found', 'Ett utkast skickas inte; bokför det först.');
  }
  if (reminderNo === null) return invoice;
  const reminders = await listReminders(tx, id);
  if (reminders.some((one) => one.reminder_no === reminderNo)) return invoice;
  throw new AppError('not_found', `Fakturan har ingen påminnelse ${reminderNo}.`);
}

/** The mail that `?som=` names, to write another from. */
async function patternOf(visit: Visit<{ id: string }>): Promise<Mail | undefined> {
  const id = z.uuid().safeParse(textOf(visit.query, 'som'));
  const mail = id.success ? await findMail(visit.tx, id.data) : undefined;
  return mail?.invoice_id === visit.params.id ? mail : undefined;
}

async function showForm(
  visit: Visit<{ id: string }>,
  reminderNo: number | null,
  input: FormInput,
): Promise<View> {
  const { tx, deps, params } = visit;
  const invoice = await getMailable(visit, reminderNo);
  const seller = await getSeller(tx);
  const letter = letterTo(invoice, seller, reminderNo);
  const pattern = await patternOf(visit);
  const to = pattern?.recipients.join(', ') ?? (await usualAddress(tx, invoice));
  const href = `/kundfakturor/${invoice.id}`;
  const { subject, body } = pattern ?? letter;
  const sender = senderOf(seller, deps.config.mailFrom);
  const title = `Skicka ${whatOf({ reminder_no: reminderNo }, invoice).toLowerCase()} med e-post`;
  return {
    template: 'invoice-mail',
    title,
    values: {
      invoice: { href, name: nameOf(invoice) },
      pdf: reminderNo === null ? `${href}/pdf` : `${href}/paminnelser/${reminderNo}/pdf`,
      problem: noMailReason(deps.config, seller),
      mailto: mailtoOf(to, letter),
      from: sender ? { name: sender.name, address: sender.address, replyTo: sender.replyTo } : null,
      seen: await latestMailId(tx, params.id),
      form: formOf(input, {
        recipients: field(input, 'recipients', 'Till', {
          isRequired: true,
          maxLength: 1_500,
          value: to,
          help:
            to === ''
              ? `Varken fakturan eller kundregistret har någon e-postadress. ${several}`
              : several,
        }),
        subject: field(input, 'subject', 'Ämne', {
          isRequired: true,
          maxLength: subjectMax,
          value: subject,
        }),
        body: field(input, 'body', 'Text', {
          type: 'textarea',
          isRequired: true,
          maxLength: bodyMax,
          value: body,
        }),
      }),
    },
  };
}

const several = 'En adress, eller högst fem med komma emellan.';

/** For the person's own mail program, when the installation has no mail server. */
function mailtoOf(to: string, { subject, body }: { subject: string; body: string }): string | null {
  const parsed = parseRecipients(to);
  if (!('addresses' in parsed)) return null;
  const addresses = parsed.addresses.map((one) => encodeURIComponent(one)).join(',');
  const lines = body.replaceAll('\n', '\r\n');
  return `mailto:${addresses}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(lines)}`;
}

async function send(
  visit: Visit<{ id: string }>,
  reminderNo: number | null,
  { seen, ...values }: MailFields,
) {
  const { tx, params, person, deps } = visit;
  const { timeZone } = deps.config;
  const invoice = await getMailable(visit, reminderNo);
  const sender = requireSender(visit, await getSeller(tx));
  await requireSameMails(tx, params.id, seen);
  const request = { ...values, invoiceId: params.id, reminderNo, sender, timeZone };
  await requestMail(tx, request, person.actor);
  const what = whatOf({ reminder_no: reminderNo }, invoice);
  const notice = `${what} skickas till ${values.recipients.join(', ')}. Hur det går står under Utskick.`;
  return { to: `/kundfakturor/${params.id}`, notice };
}

/** Where a reminder would go that is sent as it is registered; null when it cannot be. */
export async function reminderAddress(
  { tx, deps }: Pick<Visit, 'tx' | 'deps'>,
  invoice: InvoiceFacts,
): Promise<string | null> {
  if (noMailReason(deps.config, await getSeller(tx))) return null;
  return normalizeMailAddress(await usualAddress(tx, invoice)) ?? null;
}

/** Sends a reminder with the usual words to the usual address. Throws 422 when it has none. */
export async function mailReminder(
  visit: Visit<{ id: string }>,
  reminderNo: number,
): Promise<string> {
  const { tx, params, person, deps } = visit;
  const { timeZone } = deps.config;
  const invoice = await getMailable(visit, reminderNo);
  const seller = await getSeller(tx);
  const sender = requireSender(visit, seller);
  const address = await reminderAddress(visit, invoice);
  if (address === null) {
    throw new AppError('unprocessable', 'Kunden har ingen e-postadress. Inget är registrerat.');
  }
  const letter = letterTo(invoice, seller, reminderNo);
  const about = { invoiceId: params.id, reminderNo, timeZone };
  const request = { ...letter, ...about, recipients: [address], sender };
  await requestMail(tx, request, person.actor);
  return address;
}

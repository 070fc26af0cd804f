/** The documents of a voucher: added, and handed out. */
import { z } from 'zod';
import { labelOf } from '../../../domain/ledger/voucher.ts';
import {
  readAttachment,
  releaseDocuments,
  withholdDocuments,
} from '../../../ledger/attachments/service.ts';
import { getVoucher } from '../../../ledger/vouchers/detail-store.ts';
import { textOf } from '../../form-fields.ts';
import { uuid } from '../../inputs.ts';
import type { Pages } from '../../page.ts';
import { attachAll, requireFiles } from '../../sent-documents.ts';
import { showVoucher } from './voucher.ts';
import { fileAnswer } from './voucher-files.ts';

const params = z.object({ id: uuid });

export function registerVoucherAttachments(pages: Pages): void {
  // Where a refused upload leaves the address.
  pages.show({
    url: '/verifikat/:id/bilagor',
    right: 'read',
    params,
    show: async ({ params: { id } }) => ({ to: `/verifikat/${id}#bilagor` }),
  });

  pages.act({
    url: '/verifikat/:id/bilagor',
    right: 'keep_books',
    params,
    show: showVoucher,
    perform: async ({ tx, person, params: { id }, files }) => {
      const voucher = await getVoucher(tx, id);
      requireFiles(files);
      await attachAll(tx, id, files, person.actor);
      const what = files.length === 1 ? 'Bilagan' : `${files.length} bilagor`;
      return {
        to: `/verifikat/${id}`,
        notice: `${what} är ${files.length === 1 ? 'sparad' : 'sparade'} på ${labelOf(voucher)}.`,
      };
    },
  });

  pages.act({
    url: '/verifikat/:id/undanhall',
    right: 'keep_books',
    params,
    show: showVoucher,
    perform: async ({ tx, person, params: { id } }) => {
      await withholdDocuments(tx, id, person.actor);
      return { to: `/verifikat/${id}#bilagor`, notice: 'Ingen API-nyckel läser underlagen.' };
    },
  });

  pages.act({
    url: '/verifikat/:id/slapp',
    right: 'keep_books',
    params,
    show: showVoucher,
    perform: async ({ tx, person, params: { id } }) => {
      await releaseDocuments(tx, id, person.actor);
      return {
        to: `/verifikat/${id}#bilagor`,
        notice: 'Nycklar som får läsa underlag läser dem igen.',
      };
    },
  });

  pages.show({
    url: '/verifikat/:id/bilagor/:attachmentId',
    right: 'read',
    params: params.extend({ attachmentId: uuid }),
    show: async ({ tx, params: { id, attachmentId }, query }) =>
      fileAnswer(
        await readAttachment(tx, { voucherId: id, attachmentId }),
        textOf(query, 'hamta') !== '',
      ),
  });
}

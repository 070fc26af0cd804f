/** The front door: to the overview, to the log-in, or to the first visit. */

import { hasUsers } from '../../access/sessions/store.ts';
import { db } from '../../db/pool.ts';
import { holderOf } from '../../http/shedding.ts';
import { programName } from '../../lib/program-name.ts';
import { answerView } from '../frame.ts';
import type { Pages } from '../page.ts';
import { sessionOf } from '../person.ts';

export function registerWelcome({ app, deps }: Pages): void {
  app.get('/', { schema: { hide: true } }, async (request, reply) => {
    if (sessionOf(request) !== undefined) return reply.redirect('/oversikt', 303);
    const isInUse = await deps.appReaders.run(holderOf(request), (pool) => hasUsers(db(pool)));
    if (isInUse) return reply.redirect('/logga-in', 303);
    return answerView(request, reply, {
      template: 'welcome',
      title: 'Huvudbok är igång',
      values: { baseUrl: deps.config.baseUrl, programName },
    });
  });
}

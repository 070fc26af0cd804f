import { testEveryPage } from './every-page.ts';

testEveryPage('every page at 360 px, dark', {
  viewport: { width: 360, height: 740 },
  colorScheme: 'dark',
});

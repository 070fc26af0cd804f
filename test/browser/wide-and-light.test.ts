import { testEveryPage } from './every-page.ts';

testEveryPage('every page at 1440 px, light', {
  viewport: { width: 1440, height: 900 },
  colorScheme: 'light',
});

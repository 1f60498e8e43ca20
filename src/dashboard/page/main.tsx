import { render } from 'preact';
import { enter } from './api.ts';
import { App } from './app.tsx';
import { Closed } from './views/closed.tsx';

const page = document.querySelector('#page');
if (page !== null) {
  page.replaceChildren();
  const entered = await enter().catch((error: unknown) => error as Error);
  render(entered === true ? <App /> : <Closed error={entered === false ? undefined : entered} />, page);
}

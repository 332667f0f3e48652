import { render } from 'preact';
import { Page, PageContext } from './page/page';
import { App } from './shell/App';
import { forwardLinks } from './shell/forwardLinks';
import './main.css';

const root = document.getElementById('app');
if (!root) throw new Error('The page has no #app.');

const page = new Page((state, self) =>
  render(
    <PageContext.Provider value={self}>
      <App state={state} />
    </PageContext.Provider>,
    root,
  ),
);
forwardLinks(root, page);
page.connect();

import { render } from 'preact';
import { App } from './components/App';
import { forwardLinks } from './links';
import { Page, PageContext } from './page';
import './styles/main.css';

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

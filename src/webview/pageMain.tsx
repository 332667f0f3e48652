import { render } from 'preact';
import { createServices, ServicesContext } from './page/pageServices';
import { saveShell } from './page/saveShell';
import { App } from './shell/App';
import { forwardLinks } from './shell/forwardLinks';
import './pageMain.css';

const root = document.getElementById('app');
if (!root) throw new Error('The page has no #app.');

// The HTML's content until the first snapshot.
const shell = document.getElementById('shell');

const services = createServices((state) => {
  shell?.remove();
  render(
    <ServicesContext.Provider value={services}>
      <App state={state} />
    </ServicesContext.Provider>,
    root,
  );
  saveShell(services.host, state, root.className === 'in-editor');
});
const { page } = services;
forwardLinks(root, page);
page.connect();

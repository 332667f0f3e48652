import { render } from 'preact';
import { createServices, ServicesContext } from './page/services';
import { App } from './shell/App';
import { forwardLinks } from './shell/forwardLinks';
import './main.css';

const root = document.getElementById('app');
if (!root) throw new Error('The page has no #app.');

const services = createServices((state) =>
  render(
    <ServicesContext.Provider value={services}>
      <App state={state} />
    </ServicesContext.Provider>,
    root,
  ),
);
const { page } = services;
forwardLinks(root, page);
page.connect();

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { followDrafts } from '../state/chat/drafts.ts';
import { followLanguage } from '../state/page/language.ts';
import { applyPreferences } from '../state/page/preferences.ts';
import { returnToConsent } from '../state/session/consent-place.ts';
import { expectSignIn } from '../state/session/session.ts';
import './styles.css';

applyPreferences();
expectSignIn();
followDrafts();
returnToConsent();
await followLanguage();
const root = document.querySelector('#root');
if (!root) throw new Error('The page has no place for the app.');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

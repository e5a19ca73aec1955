/** Texts of the page in English: notifications. */
export const notifications = {
  approval: 'Approval needed',
  question: 'A server needs your input',
  finished: 'Answer ready',
  failed: 'Answer failed',
  inChat: 'Chat: {title}',
  asks: 'Server: {server}',
  wantsToRun: 'Tool: {tool} on {server}',
  offer: 'Get a notification when the answer is ready?',
  offerWaiting: 'Get a notification when something needs you?',
  notifyMe: 'Notify me',
  decline: 'No thanks',
  show: 'Show notifications',
  when: 'You’re notified when an answer that took more than {seconds} seconds is ready, or when an approval or a server’s request is waiting for you. You aren’t notified about the chat you’re looking at.',
  perChat: 'To silence a single chat, use its menu in the sidebar.',
  muted: '{count, plural, one {# chat is muted.} other {# chats are muted.}}',
  unmuteAll: 'Unmute all',
  denied:
    'Your browser blocks notifications from this site. Allow them in the site settings (the icon in the address bar), then come back to this page.',
  insecure: 'Browsers only allow notifications over a secure connection. Open Cerise over HTTPS.',
  unsupported:
    'This browser can’t show notifications from Cerise. A desktop browser can. The bell and the tab title still show what needs you.',
};

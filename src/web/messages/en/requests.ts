/** Texts of the page in English: requests to install servers. */
export const requests = {
  title: 'Requests',
  asked: '{user} wants to use {title}.',
  own: {
    open: 'You requested {title}. An admin will review it.',
    approved: 'An admin installed {title} for you.',
    denied: 'An admin denied your request for {title}.',
  },
  request: 'Request from an admin',
  requested: 'Requested. An admin will review it.',
  review: 'Review…',
  deny: 'Deny',
  withdraw: 'Withdraw',
  dismiss: 'Dismiss',
};

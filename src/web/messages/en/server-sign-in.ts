/** Texts of the page in English: server sign in. */
export const serverSignIn = {
  title: 'Sign in to {name}',
  text: 'Your browser leaves Cerise for the page below, and comes back when you are signed in. You have 5 minutes.',
  finding: 'Asking the server where to sign in…',
  leave: 'Go there',
  imitable: 'Careful: this name has foreign letters that may imitate another name.',
  signedInAt: 'Signed in at {host}',
  expiredAt: 'The sign-in at {host} has ended',
  signOut: 'Sign out',
  ownClient: 'Use a client that was registered by hand',
  clientId: 'Client id',
  clientIdHint: 'From the page where Cerise was registered with the authorization server',
  clientSecret: 'Client secret',
  clientSecretHint: 'Only if one was given; stored encrypted and never shown again',
  useClient: 'Use this client',
};

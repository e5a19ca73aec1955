/** Texts of the page in English: server sign in. */
export const serverSignIn = {
  title: 'Sign in to {name}',
  text: 'You’ll sign in on the page below and then return to Cerise. You have 5 minutes.',
  finding: 'Finding the sign-in page…',
  leave: 'Continue',
  imitable: 'This domain contains letters from another alphabet and may imitate another domain.',
  signedInAt: 'Signed in at {host}',
  expiredAt: 'Sign-in at {host} expired',
  signOut: 'Sign out',
  ownClient: 'Use your own OAuth client',
  redirectUri: 'Redirect URI',
  redirectUriHint: 'Enter this when you register Cerise',
  clientId: 'Client ID',
  clientIdHint: 'From the authorization server where you registered Cerise',
  clientSecret: 'Client secret',
  clientSecretHint: 'Only if you have one. Stored encrypted and never shown again.',
  useClient: 'Use this client',
};

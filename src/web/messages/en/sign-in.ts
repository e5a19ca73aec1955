/** Texts of the page in English: sign in. */
export const signIn = {
  title: 'Sign in to Cerise',
  text: 'Open the sign-in link that Cerise printed in the terminal where it was started.',
  used: 'This link was already used or has expired. Each link works once, for 10 minutes.',
  again: 'Need a new link? Run “npx cerise sign-in” on the machine where Cerise runs.',
  reload: 'I have signed in',
  name: 'Name',
  password: 'Password',
  submit: 'Sign in',
  wrong: 'The name or the password is wrong.',
  slow: 'That was tried too often. Wait a few minutes, then try again.',
  oidc: 'Continue with {name}',
  oidcFailed: 'The sign-in was not finished. Please try again.',
  forgotten: 'Forgotten the password? An admin can set a new one.',
};

/** Texts of the page in English: sign in. */
export const signIn = {
  title: 'Sign in to Cerise',
  text: 'Open the sign-in link that Cerise printed in the terminal where it was started.',
  used: 'This link was already used or is too old. Each link signs in one browser.',
  again: 'No link at hand? Start Cerise again and it prints a new one.',
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

/** What was tried where a target may be missed; shown on the page when it is. */
export const tried = {
  B5: 'What is left is the price of a handful of system calls and of reading the answer.',
  B6: 'The rest is the start of as many shells on the cores that are there.',
  B7: 'Twenty shells have to be started whoever starts them; on few cores that is most of the time.',
}

/** Closing never fails: there is nothing that a caller could do about it. */
import { closeSync, fstatSync, openSync } from 'node:fs'
import { expect, test } from 'vitest'
import { closeDescriptor } from '../../src/process/close-descriptor.ts'

test('a descriptor is closed', () => {
  const descriptor = openSync('/dev/null', 'r')
  closeDescriptor(descriptor)
  expect(() => fstatSync(descriptor)).toThrow(/EBADF/)
})

test('one that the system cannot close stops nobody', () => {
  expect(() => closeSync(1_000_000)).toThrow(/EBADF/)
  expect(() => closeDescriptor(1_000_000)).not.toThrow()
})

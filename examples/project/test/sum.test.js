/** What sum promises. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sum } from '../src/sum.js'

test('the sum of one and two is three', () => assert.equal(sum([1, 2]), 3))
test('the sum of nothing is zero', () => assert.equal(sum([]), 0))

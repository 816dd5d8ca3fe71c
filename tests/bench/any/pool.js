// SPDX-License-Identifier: MIT
//
// pool.js - libuv's thread pool at work: files and key derivation, as in libuv's issue 5236.
const crypto = require('crypto'), fs = require('fs');
let begun = 0;

function next() {
	if (begun++ < Number(process.argv[2]))
		fs.stat('/etc/passwd', () => crypto.pbkdf2('password', 'salt', 2000, 32, 'sha1', next));
}
for (let i = 0; i < 8; i++)
	next();

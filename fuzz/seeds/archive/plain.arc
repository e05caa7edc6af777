4 filedesc://x.arc 1.2.3.4 20240102030405 text/plain 64
1 0 Us
URL IP-address Archive-date Content-type Archive-length


http://a.example/ 1.2.3.4 20240102030405 text/html 77
HTTP/1.1 200 OK
Content-Type: text/html; charset=utf-8

<p>One</p><div>Two
http://a.example/dns 1.2.3.4 20240102030405 text/html 1
x

# status: 2
test unread/modules

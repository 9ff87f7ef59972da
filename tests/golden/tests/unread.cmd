# status: 1
test unread/modules

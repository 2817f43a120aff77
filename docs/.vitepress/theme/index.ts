import theme from 'vitepress/theme'
import './bar.css'
import './code.css'

export default theme
